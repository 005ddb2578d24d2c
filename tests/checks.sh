# shellcheck shell=bash
# Sourced by tests, which count what passed and what failed, and go on.
passed=0 failed=0
# check WHAT COMMAND...: COMMAND succeeds. Its output goes to the file $checked, if that is set. If it
# fails, the end of $shown, or else of $checked, is printed.
check() {
    if "${@:2}" >"${checked:-/dev/null}" 2>&1; then
        ((++passed)) && echo "passed: $1"
    else
        ((++failed)) && echo "FAILED: $1 (${*:2})" && tail -n 5 "${shown:-${checked:-/dev/null}}"
    fi
}
fails() { ! "$@"; }
# dead_links PAGE...: "PAGE: LINK" of each relative link that leads to no file.
dead_links() {
    local page link
    while IFS=: read -r page link; do
        [[ $link =~ ^https?: || -e $(dirname "$page")/$link ]] || echo "$page: $link"
    done < <(grep -oHP '\]\(\K[^)#\s]*[./][^)#\s]*' "$@")
}
# fails_with CODE COMMAND...
fails_with() {
    "${@:2}"
    (($? == $1))
}
