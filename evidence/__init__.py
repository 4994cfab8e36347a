"""The world that a controller acts in at run time; it never sees gold."""
