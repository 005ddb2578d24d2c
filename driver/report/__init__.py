"""Figures, tables, pages and the site, from the CSV files of reports/ or of a run."""
