"""Sentences about films, novels, operas, albums and paintings; the notation is that of `sentences_people`."""

from __future__ import annotations

__all__ = ["BODY", "COLOUR", "LEADS", "PREDICATES"]

LEADS: dict[str, tuple[str, ...]] = {
    "film": (
        "{Name} is a {year} film directed by {director}.",
        "{Name} is a [drama|comedy|thriller|melodrama] film by the director {director}, released in {year}.",
        "Directed by {director}, {Name} is a {year} film [about a missing ferry|set over a single "
        "night|in which almost nobody speaks|about three sisters and a lease].",
        "{Name} is a film [about a surveyor who falsifies a map|about a strike at a cannery|about a "
        "wedding that is put off for thirty years], produced by {company}.",
        "The {year} film {Name} [follows a clerk accused of arson|opens with a funeral and ends with a dance].",
        "{director} directed {Name}, a [film|picture] [of small gestures|with an unusually long final shot].",
        "Released in {year}, the film {Name} was [a failure on release and a favourite since|banned in "
        "two provinces|shot in a little under a month].",
        "{Name} is a film starring {star}.",
        "{Name} is a [black-and-white|feature] film [made in {year}|of {year}].",
        "Critics were [baffled by|divided over] {Name}, a film that [runs barely an hour|has no villain].",
    ),
    "novel": (
        "{Name} is a novel by {author}, [first published|published] in {year}.",
        "{Name} is a {year} novel by {author}.",
        "The novel {Name} [tells of two brothers who inherit one boat|is narrated by a lodger who is "
        "never named|covers a single winter].",
        "Published in {year}, {Name} is a novel [in nine letters|about a disputed inheritance|of "
        "provincial life].",
        "{author} wrote {Name}, a novel [begun in hospital|that took eleven years].",
        "{Name} is a novel set in {set_in}.",
        "Set in {set_in}, the novel {Name} [is built around a lawsuit|follows a midwife through one parish].",
    ),
    "opera": (
        "{Name} is an opera in [two|three|four] acts by {composer}.",
        "{Name} is an opera, first [given|performed] in {year}.",
        "The opera {Name} had its premiere in {premiered_in}.",
        "{composer} composed the opera {Name} [in eleven weeks|for a company that could not pay].",
        "An opera in [one act|three acts], {Name} was first heard in {year}.",
    ),
    "album": (
        "{Name} is an album by {singer}, released in {year}.",
        "{Name} is the [third|fourth|second] album by the singer {singer}.",
        "Released by {label}, {Name} is an album of [ballads|harvest songs|slow waltzes].",
        "The album {Name} [was taped in eight nights|has no song longer than three minutes].",
        "{singer} made the album {Name}.",
        "{Name} is a {year} album [of songs about leaving|recorded with a village brass band].",
    ),
    "painting": (
        "{Name} is a painting by {painter}.",
        "{Name} is an oil painting of {year}.",
        "The painting {Name} [is barely larger than a tea tray|was thought lost for two generations].",
        "Painted in {year}, {Name} is [a small oil on panel|a large canvas in three greys].",
        "{painter} painted {Name} [from memory|in the course of one wet summer].",
        "{Name}, a painting, shows {depicts}.",
    ),
}

PREDICATES: dict[str, dict[str, tuple[str, ...]]] = {
    "film": {
        "director": ("was directed by {director}",),
        "year": ("was released in {year}", "came out in {year}"),
        "company": ("was produced by {company}", "was a production of {company}"),
        "based_on": ("is based on the novel {based_on}", "takes its story from the novel {based_on}"),
        "star": ("stars {star}", "has {star} in the leading part"),
        "score_by": ("has music by {score_by}", "was scored by {score_by}"),
        "filmed_in": ("was shot in {filmed_in}", "was filmed in {filmed_in}"),
    },
    "novel": {
        "author": ("was written by {author}",),
        "year": ("was published in {year}", "appeared in {year}"),
        "set_in": ("is set in {set_in}", "takes place in {set_in}"),
        "dedicated_to": ("is dedicated to {dedicated_to}", "bears a dedication to {dedicated_to}"),
        "filmed_as": ("was filmed as {filmed_as}", "was the source of the film {filmed_as}"),
        "sung_as": ("was turned into the opera {sung_as}", "gave its plot to the opera {sung_as}"),
    },
    "opera": {
        "composer": ("was composed by {composer}", "has music by {composer}"),
        "year": ("was first performed in {year}",),
        "premiered_in": ("had its premiere in {premiered_in}", "was first staged in {premiered_in}"),
        "adapted_from": ("is adapted from the novel {adapted_from}", "draws its plot from the novel "
                                                                     "{adapted_from}"),
    },
    "album": {
        "singer": ("was made by {singer}", "is the work of the singer {singer}"),
        "year": ("was released in {year}", "came out in {year}"),
        "label": ("was released by {label}", "was put out by {label}"),
        "recorded_in": ("was recorded in {recorded_in}", "was taped in {recorded_in}"),
    },
    "painting": {
        "painter": ("was painted by {painter}", "is the work of {painter}"),
        "year": ("dates from {year}", "was finished in {year}"),
        "depicts": ("depicts {depicts}", "shows {depicts} [in low water|at first light|under snow]"),
        "held_by": ("hangs in {held_by}", "belongs to {held_by}"),
    },
}  # fmt: skip

BODY: dict[str, tuple[str, ...]] = {
    "film": (
        "The leading part [is taken|was played] by {star}.",
        "{star} plays the lead, [a role first offered to {~person}|with hardly a line to say].",
        "The music is by {score_by}.",
        "{score_by} wrote the score in [ten days|a fortnight].",
        "Its screenplay is adapted from the novel {based_on}.",
        "Exteriors were shot in {filmed_in}, [to the irritation of residents|in steady rain].",
        "The company behind it was {company}.",
        "Behind the camera was {director}.",
        "{He} was filmed in {filmed_in} for {company}.",
        "The director, {director}, [later disowned the ending|appears briefly as a postman].",
        "It reached cinemas in {year}.",
    ),
    "novel": (
        "The story unfolds in {set_in}, [thinly disguised|drawn with a surveyor's care].",
        "The dedication is to {dedicated_to}.",
        "Its author, {author}, [was paid by the page|called it a mistake].",
        "The book came out in {year} in [a small edition|two volumes].",
        "A film version bears the title {filmed_as}.",
        "An opera, {sung_as}, was made from it.",
        "{author} wrote it [at a single desk|between two illnesses].",
    ),
    "opera": (
        "The libretto follows the novel {adapted_from} [closely|up to the last act, and then does not].",
        "The first performance took place in {premiered_in}.",
        "Its composer, {composer}, [conducted from the piano|left the hall before the end].",
        "The first night, in {year}, was [a quiet triumph|interrupted by a power cut].",
    ),
    "album": (
        "It was taped in {recorded_in}, [in a deconsecrated chapel|with the windows open].",
        "The label was {label}.",
        "{singer} [sings|sang] every part.",
        "Shops had it in {year}.",
        "Sessions were held in {recorded_in} for {label}.",
    ),
    "painting": (
        "The subject is {depicts}.",
        "It is now in {held_by}.",
        "{held_by} has owned it since [a disputed sale|the war].",
        "{painter} completed it in {year}.",
        "The artist, {painter}, [never spoke of it|asked for it back].",
    ),
}

COLOUR: dict[str, tuple[str, ...]] = {
    "film": (
        "A print was found in {~town} after decades in a coal cellar.",
        "The critic of {~newspaper} walked out, and later apologised.",
        "Two endings were made and only one survives.",
        "The title was chosen by the typist.",
        "It ran for a single week in {~town}.",
        "Some scenes quote {~film} almost shot for shot.",
        "Half the dialogue was improvised.",
    ),
    "novel": (
        "Early readers took it for a memoir.",
        "A newspaper printed an extract without asking.",
        "School editions leave out the seventh chapter.",
        "Its opening sentence is quoted more often than read.",
        "A chapter set on {~river} was added at proof stage.",
        "The book is sometimes mentioned in one breath with {~novel}.",
    ),
    "opera": (
        "The soprano part lies punishingly high.",
        "A revival in {~town} restored the cut ballet.",
        "Only the overture is still played in concert.",
        "Its second act has a chorus of ferrymen.",
    ),
    "album": (
        "The sleeve shows an empty dance hall in {~town}.",
        "Sales were slow until a radio play used the closing song.",
        "A reissue added four demos.",
        "Listeners have compared it with {~album}.",
        "No single was taken from it.",
    ),
    "painting": (
        "X-rays show a second figure beneath the paint.",
        "A copy hangs in the council chamber of {~town}.",
        "The frame is older than the picture.",
        "It was once attributed to {~painter}.",
    ),
}
