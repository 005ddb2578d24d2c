"""One run: build, test, measure, sum up."""
