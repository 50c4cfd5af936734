"""Running a battle: orders carried out, breaking in, what lands, what sides are told, records."""
