/*
 * Column by column what the euro_aip library expects to find, so that a database made here can be
 * opened and extended by it. `countries` and `regions` are an addition that it ignores.
 */
#include "airports/euro_aip_schema.h"

/* Tables of changes differ in their first columns only. */
#define CHANGED "changed_at TEXT, airac_date TEXT"
#define STAMPS "created_at TEXT, updated_at TEXT"
#define END_COLUMNS(e) \
	e "_latitude_deg REAL, " e "_longitude_deg REAL, " e "_elevation_ft REAL, " \
	e "_heading_degT REAL, " e "_displaced_threshold_ft REAL, "

const char euro_aip_tables[] =
	"CREATE TABLE airports (icao_code TEXT NOT NULL, name TEXT, type TEXT, latitude_deg REAL, "
	"longitude_deg REAL, elevation_ft REAL, continent TEXT, iso_country TEXT, iso_region TEXT, "
	"municipality TEXT, scheduled_service TEXT, gps_code TEXT, iata_code TEXT, local_code TEXT, "
	"home_link TEXT, wikipedia_link TEXT, keywords TEXT, sources TEXT, " STAMPS ", "
	"PRIMARY KEY (icao_code));"

	"CREATE TABLE runways (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT NOT NULL, "
	"le_ident TEXT, he_ident TEXT, length_ft REAL, width_ft REAL, surface TEXT, "
	"lighted INTEGER, closed INTEGER, " END_COLUMNS("le") END_COLUMNS("he") STAMPS ");"

	"CREATE TABLE procedures (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT NOT NULL, "
	"name TEXT, procedure_type TEXT, approach_type TEXT, runway_ident TEXT, runway_letter TEXT, "
	"runway_number TEXT, source TEXT, authority TEXT, raw_name TEXT, " STAMPS ");"

	"CREATE TABLE aip_entries (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT, "
	"section TEXT, field TEXT, value TEXT, std_field TEXT, std_field_id INTEGER, "
	"mapping_score REAL, alt_field TEXT, alt_value TEXT, source TEXT, "
	"source_priority INTEGER DEFAULT 0, " STAMPS ", "
	"FOREIGN KEY (airport_icao) REFERENCES airports (icao_code), "
	"UNIQUE(airport_icao, section, field, source));"

	"CREATE TABLE border_crossing_points (id INTEGER PRIMARY KEY AUTOINCREMENT, "
	"icao_code TEXT NOT NULL, country_iso TEXT NOT NULL, airport_name TEXT NOT NULL, "
	"is_airport INTEGER, source TEXT NOT NULL, extraction_method TEXT, metadata_json TEXT, "
	"matched_airport_icao TEXT, match_score REAL, " STAMPS ", "
	"FOREIGN KEY (matched_airport_icao) REFERENCES airports (icao_code), "
	"UNIQUE(icao_code, country_iso));"

	"CREATE TABLE waypoints (name TEXT NOT NULL, latitude_deg REAL, longitude_deg REAL, "
	"point_type TEXT, fir_codes TEXT, level_availability TEXT, source TEXT, "
	"source_id TEXT NOT NULL DEFAULT '', " STAMPS ", PRIMARY KEY (name, source_id));"

	"CREATE TABLE firs (icao TEXT NOT NULL PRIMARY KEY, name TEXT, polygons_json TEXT NOT NULL, "
	"bbox_min_lon REAL NOT NULL, bbox_min_lat REAL NOT NULL, bbox_max_lon REAL NOT NULL, "
	"bbox_max_lat REAL NOT NULL, is_oceanic INTEGER DEFAULT 0, region TEXT, label_lon REAL, "
	"label_lat REAL, source TEXT, " STAMPS ");"

	"CREATE TABLE model_metadata (key TEXT PRIMARY KEY, value TEXT, updated_at TEXT);"
	"CREATE TABLE sources (name TEXT PRIMARY KEY, last_updated TEXT, record_count INTEGER);"
	"CREATE TABLE airac_updates (id INTEGER PRIMARY KEY AUTOINCREMENT, airac_date TEXT NOT NULL, "
	"source TEXT NOT NULL, fetched_at TEXT NOT NULL, airports_updated INTEGER DEFAULT 0, "
	"changes_count INTEGER DEFAULT 0, status TEXT DEFAULT 'success', UNIQUE(airac_date, source));"
	"CREATE TABLE airac_country_coverage (country_iso TEXT NOT NULL, airac_date TEXT NOT NULL, "
	"source TEXT NOT NULL, airports_count INTEGER DEFAULT 0, updated_at TEXT NOT NULL, "
	"PRIMARY KEY (country_iso, source));"

	"CREATE TABLE airports_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT, "
	"field_name TEXT, old_value TEXT, new_value TEXT, field_type TEXT, source TEXT, " CHANGED ", "
	"FOREIGN KEY (airport_icao) REFERENCES airports (icao_code));"
	"CREATE TABLE runways_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT, "
	"runway_id INTEGER, field_name TEXT, old_value TEXT, new_value TEXT, field_type TEXT, source TEXT, "
	CHANGED ", FOREIGN KEY (airport_icao) REFERENCES airports (icao_code), "
	"FOREIGN KEY (runway_id) REFERENCES runways (id));"
	"CREATE TABLE procedures_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT, "
	"procedure_id INTEGER, field_name TEXT, old_value TEXT, new_value TEXT, source TEXT, " CHANGED ", "
	"FOREIGN KEY (airport_icao) REFERENCES airports (icao_code), "
	"FOREIGN KEY (procedure_id) REFERENCES procedures (id));"
	"CREATE TABLE aip_entries_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, airport_icao TEXT, "
	"section TEXT, field TEXT, old_value TEXT, new_value TEXT, std_field TEXT, std_field_id INTEGER, "
	"mapping_score REAL, source TEXT, " CHANGED ", "
	"FOREIGN KEY (airport_icao) REFERENCES airports (icao_code));"
	"CREATE TABLE waypoints_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, "
	"waypoint_name TEXT NOT NULL, field_name TEXT, old_value TEXT, new_value TEXT, field_type TEXT, "
	"source TEXT, " CHANGED ");"
	"CREATE TABLE border_crossing_points_changes (id INTEGER PRIMARY KEY AUTOINCREMENT, "
	"icao_code TEXT NOT NULL, country_iso TEXT NOT NULL, action TEXT NOT NULL, source TEXT NOT NULL, "
	"changed_at TEXT);";

const char euro_aip_indexes[] =
	"CREATE INDEX idx_runways_airport ON runways (airport_icao);"
	"CREATE INDEX idx_procedures_airport ON procedures (airport_icao);"
	"CREATE INDEX idx_aip_entries_airport_section ON aip_entries (airport_icao, section);"
	"CREATE INDEX idx_border_crossing_matched_airport ON border_crossing_points (matched_airport_icao);"
	"CREATE INDEX idx_border_crossing_country ON border_crossing_points (country_iso);"
	"CREATE INDEX idx_border_crossing_source ON border_crossing_points (source);"
	"CREATE INDEX idx_firs_bbox ON firs (bbox_min_lon, bbox_min_lat, bbox_max_lon, bbox_max_lat);"
	"CREATE INDEX idx_firs_source ON firs (source);"
	"CREATE INDEX idx_waypoints_name ON waypoints (name);"
	"CREATE INDEX idx_waypoints_type ON waypoints (point_type);"
	"CREATE INDEX idx_waypoints_source ON waypoints (source);"
	"CREATE INDEX idx_airport_changes_airport_time ON airports_changes (airport_icao, changed_at);"
	"CREATE INDEX idx_runways_changes_airport_time ON runways_changes (airport_icao, changed_at);"
	"CREATE INDEX idx_procedures_changes_airport_time ON procedures_changes (airport_icao, changed_at);"
	"CREATE INDEX idx_aip_entries_changes_airport_time ON aip_entries_changes (airport_icao, changed_at);"
	"CREATE INDEX idx_aip_entries_changes_field_time ON aip_entries_changes (field, changed_at);"
	"CREATE INDEX idx_border_crossing_points_changes_time ON border_crossing_points_changes (changed_at);"
	"CREATE INDEX idx_waypoints_changes_time ON waypoints_changes (changed_at);"
	"CREATE INDEX idx_waypoints_changes_name ON waypoints_changes (waypoint_name);";
