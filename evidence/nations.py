"""Countries, and the words by which a text tells that something belongs to one."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["is_people", "nation_of", "nation_words", "nations_of"]

# Country: words of its people and language, other names, parts that are named without it.
_TABLE = """
Afghanistan: Afghan|Kabul
Albania: Albanian
Algeria: Algerian
Argentina: Argentine|Argentinian|Buenos Aires
Armenia: Armenian
Australia: Australian|New South Wales|Queensland|Tasmania|Sydney|Melbourne
Austria: Austrian|Vienna|Austro-Hungarian
Azerbaijan: Azerbaijani
Bahrain: Bahraini
Bangladesh: Bangladeshi|Dhaka
Belarus: Belarusian|Minsk
Belgium: Belgian|Flemish|Brussels
Bolivia: Bolivian
Bosnia and Herzegovina: Bosnian|Bosnia
Brazil: Brazilian|Rio de Janeiro|São Paulo
Bulgaria: Bulgarian|Sofia
Cambodia: Cambodian
Cameroon: Cameroonian
Canada: Canadian|Ontario|Quebec|Québécois|British Columbia|Alberta|Manitoba|Nova Scotia|Saskatchewan|Toronto|Montreal
Chile: Chilean
China: Chinese|Beijing|Shanghai|People's Republic of China
Colombia: Colombian
Costa Rica: Costa Rican
Croatia: Croatian|Zagreb
Cuba: Cuban|Havana
Cyprus: Cypriot
Czech Republic: Czech|Czechoslovakia|Czechoslovak|Bohemia|Moravia|Prague
Denmark: Danish|Dane|Copenhagen
Dominican Republic: Dominican
Ecuador: Ecuadorian
Egypt: Egyptian|Cairo
Estonia: Estonian
Ethiopia: Ethiopian
Finland: Finnish|Finn|Helsinki
France: French|Paris|Brittany
Georgia (country): Georgian|Tbilisi
Germany: German|Prussia|Prussian|Bavaria|Bavarian|Saxony|Berlin|Munich
Ghana: Ghanaian
Greece: Greek|Athens
Guatemala: Guatemalan
Haiti: Haitian
Hong Kong: Cantonese
Hungary: Hungarian|Budapest
Iceland: Icelandic|Reykjavík
India: Indian|Hindi|Tamil|Telugu|Malayalam|Kannada|Bengali|Bollywood|Kerala|Maharashtra|Gujarat|Punjabi|West Bengal|Mumbai|Delhi
Indonesia: Indonesian|Jakarta
Iran: Iranian|Persian|Tehran
Iraq: Iraqi|Baghdad
Ireland: Irish|Dublin
Israel: Israeli
Italy: Italian|Rome|Milan|Naples|Tuscany|Sicily|Venice
Ivory Coast: Ivorian
Jamaica: Jamaican
Japan: Japanese|Tokyo|Osaka
Jordan: Jordanian
Kazakhstan: Kazakhstani|Kazakh
Kenya: Kenyan
Latvia: Latvian
Lebanon: Lebanese|Beirut
Lithuania: Lithuanian
Malaysia: Malaysian
Malta: Maltese
Mexico: Mexican
Mongolia: Mongolian
Morocco: Moroccan
Nepal: Nepalese|Nepali
Netherlands: Dutch|Holland|Amsterdam
New Zealand: New Zealander|Auckland
Nigeria: Nigerian
North Korea: North Korean
Norway: Norwegian|Oslo
Pakistan: Pakistani|Urdu
Panama: Panamanian
Papua New Guinea: Papua New Guinean
Paraguay: Paraguayan
Peru: Peruvian
Philippines: Filipino|Filipina|Philippine|Manila
Poland: Polish|Pole|Warsaw
Portugal: Portuguese|Lisbon
Romania: Romanian|Bucharest
Russia: Russian|Soviet|Soviet Union|Moscow|Saint Petersburg|Oblast
Saudi Arabia: Saudi
Senegal: Senegalese
Serbia: Serbian|Yugoslavia|Yugoslav|Belgrade
Singapore: Singaporean
Slovakia: Slovak|Slovakian
Slovenia: Slovenian|Slovene
South Africa: South African
South Korea: South Korean|Korean|Korea|Seoul
Spain: Spanish|Catalan|Catalonia|Basque|Madrid|Barcelona
Sri Lanka: Sri Lankan
Sudan: Sudanese
Sweden: Swedish|Swede|Stockholm
Switzerland: Swiss|Zurich|Geneva
Syria: Syrian
Taiwan: Taiwanese
Tanzania: Tanzanian
Thailand: Thai|Bangkok
Tunisia: Tunisian
Turkey: Turkish|Ottoman|Istanbul
Uganda: Ugandan
Ukraine: Ukrainian|Kyiv|Kiev
United Arab Emirates: Emirati|Dubai
United Kingdom: British|Britain|UK|England|English|Scotland|Scottish|Wales|Welsh|Northern Ireland|London
United States: American|United States of America|USA|US|U.S|U.S.|Hollywood|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont|Virginia|Washington|West Virginia|Wisconsin|Wyoming|Chicago|Los Angeles
Uruguay: Uruguayan
Uzbekistan: Uzbek
Venezuela: Venezuelan
Vietnam: Vietnamese
Zimbabwe: Zimbabwean
"""  # noqa: E501  (one country, one line)


def _rows() -> dict[str, tuple[str, ...]]:
    rows = (line.split(": ") for line in _TABLE.strip().splitlines())
    return {country.removesuffix(" (country)"): tuple(words.split("|")) for country, words in rows}


_WORDS = _rows()
_COUNTRY = {word: country for country, words in _WORDS.items() for word in (country, *words)}
_NAMED = re.compile(
    r"(?<![\w'’])(?:" + "|".join(sorted(map(re.escape, _COUNTRY), key=lambda w: (-len(w), w))) + r")(?!\w)"
)


def is_people(word: str) -> bool:
    """Whether a word tells a nationality or language and no place: "Danish", "American"."""
    return (
        word in _COUNTRY
        and word not in _WORDS
        and bool(re.search(r"(?:an|sh|ese|ch|[gksb]i|ss|ic|eek|er)$", word))
    )


def nation_of(word: str) -> str:
    """Return the country that a word names or belongs to; blank when it does neither."""
    return _COUNTRY.get(word, "")


@lru_cache(maxsize=1 << 14)
def nation_words(text: str) -> tuple[tuple[int, str], ...]:
    """Return where a text names a country or its people, and the words it uses, in order."""
    return tuple((found.start(), found.group()) for found in _NAMED.finditer(text))


def nations_of(text: str) -> tuple[str, ...]:
    """Return the countries that a text names, in order, each once."""
    return tuple(dict.fromkeys(_COUNTRY[word] for _, word in nation_words(text)))
