"""An airport database with everything that details can show, made from that of the runner.

What is in it is made up. Two airports have procedures and AIP entries, and names and texts that a page must not
take for HTML or for addresses.
"""

import os
import shutil
import sqlite3

import harness

HOSTILE = "<img src=x onerror=alert(1)>\"'&"


def detailed(folder):
    """Its path. The folder must exist as long as it is used."""
    path = os.path.join(folder, "airports.db")
    shutil.copy(harness.DB, path)
    os.chmod(path, 0o640)
    with sqlite3.connect(path) as db:
        for table in ("procedures", "aip_entries", "border_crossing_points"):
            db.execute("DELETE FROM " + table)
        db.execute("DELETE FROM runways WHERE airport_icao = 'LFMD'")
        db.executemany(
            "INSERT INTO runways(airport_icao, le_ident, he_ident, length_ft, width_ft, surface, lighted, closed, le_latitude_deg,"
            " le_longitude_deg, le_heading_degT, he_latitude_deg, he_longitude_deg, he_heading_degT, created_at)"
            " VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,'2026-01-01T00:00:00')", [
                # the approach to 35 comes from the south: 43.5343, 6.9587 and 10 NM along 174.6 degrees
                ("LFMD", "17", "35", 5282, 148, "ASP", 1, 0, 43.5487, 6.9569, 174.6, 43.5343, 6.9587, 354.6),
                ("LFMD", "04", "22", 2493, 59, "GRASS", 0, 1, 43.53, 6.95, 40, 43.54, 6.96, 220),
            ])
        db.executemany(
            "INSERT INTO procedures(airport_icao, name, procedure_type, approach_type, runway_ident, runway_number, runway_letter,"
            " source, authority, raw_name, created_at, updated_at) VALUES(?,?,?,?,?,?,NULL,'test','LFC',?,'2026-01-01','2026-01-02')", [
                ("LFMD", "RNP RWY35", "approach", "RNP", "35", "35", "RNP 35"),
                ("LFMD", "VOR RWY35", "approach", "VOR", "35", "35", "VOR 35"),
                ("LFMD", "ILS RWY17", "Approach", "ILS", "17", "17", HOSTILE),
                ("LFMD", "NIZ1A", "departure", None, "17", "17", "NIZ1A"),
                ("LFMD", "ILS RWY04", "approach", "ILS", "04", "04", "of a closed runway"),
                ("LFAT", "ILS RWY13", "approach", "ILS", "13", "13", "ILS 13"),
                ("LFAT", "ARR1", "arrival", None, None, None, "ARR1"),
            ])
        db.executemany(
            "INSERT INTO aip_entries(airport_icao, section, field, value, std_field, std_field_id, mapping_score, alt_field, alt_value,"
            " source, created_at) VALUES(?,?,?,?,?,?,0.9,NULL,?,?,'2026-01-01')", [
                ("LFMD", "operational", "Customs", "O/R", "Customs and immigration", 302, "Douanes: sur demande", "test"),
                ("LFMD", "handling", "Fuel", "AVGAS 100LL, JET A-1", "Fuel and oil types", 402, None, "test"),
                ("LFMD", "passenger", "Hotels", HOSTILE, "Hotels", 501, None, None),
                ("LFMD", "admin", "Own field", "x", None, None, None, None),
                ("LFAT", "operational", "Customs", "PPR 24 HR", "Customs and immigration", 302, None, "test"),
            ])
        db.executemany(
            "INSERT INTO border_crossing_points(icao_code, country_iso, airport_name, is_airport, source, matched_airport_icao)"
            " VALUES(?,?,?,1,'test',?)", [("LFMD", "FR", "Cannes", "LFMD"), ("LFXX", "FR", "Elsewhere", None)])
        db.execute("UPDATE airports SET home_link = 'javascript:alert(1)', wikipedia_link = 'https://example.org/cannes',"
                   " sources = 'test, other' WHERE icao_code = 'LFMD'")
        db.execute("UPDATE airports SET name = ? WHERE icao_code = 'LFAT'", (HOSTILE,))
    return path
