"""The package behind run_all.sh: reads files that programs wrote, writes pages and figures."""
