"""Programs beside a run: each one works without the others."""
