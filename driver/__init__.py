"""What stands behind run_all.sh: it reads files that programs wrote, and writes pages and figures."""
