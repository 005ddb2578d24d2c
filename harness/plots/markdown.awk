# Markdown as HTML, as far as the generated tables and the paragraphs above them need it: tables,
# paragraphs, `code`, **bold** and [links](to). Variable `name` says what the tables are, for screen
# readers.
function escape(text) {
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text)
    return text
}
# A match of `pattern` loses the marks around it, of so many characters, and gets a tag.
function tag(text, pattern, marks, name, done) {
    while (match(text, pattern)) {
        done = done substr(text, 1, RSTART - 1) "<" name ">" \
            substr(text, RSTART + marks, RLENGTH - 2 * marks) "</" name ">"
        text = substr(text, RSTART + RLENGTH)
    }
    return done text
}
function links(text, done, link, middle) {
    while (match(text, /\[[^]]*\]\([^)]*\)/)) {
        link = substr(text, RSTART + 1, RLENGTH - 2)
        middle = index(link, "](")
        done = done substr(text, 1, RSTART - 1) "<a href=\"" substr(link, middle + 2) "\">" \
            substr(link, 1, middle - 1) "</a>"
        text = substr(text, RSTART + RLENGTH)
    }
    return done text
}
function inline(text) {
    return links(tag(tag(escape(text), "`[^`]*`", 1, "code"), "[*][*][^*]*[*][*]", 2, "strong"))
}
function end_paragraph() {
    if (paragraph != "") print "<p>" inline(paragraph) "</p>"
    paragraph = ""
}
function end_table() {
    if (rows) print "</tbody></table></div>"
    rows = 0
}
# The fields of a row are between bars. The second row, of the alignments, comes before the first.
function print_row(line, alignments, kind, cells, sides, count, i, text, heads) {
    count = split(line, cells, /\|/)
    split(alignments, sides, /\|/)
    heads = kind == "head"
    text = ""
    for (i = 2; i < count; ++i) {
        gsub(/^ +| +$/, "", cells[i])
        text = text (heads ? "<th scope=\"col\"" : i == 2 ? "<th scope=\"row\"" : "<td") \
            (sides[i] ~ /-: *$/ ? " class=\"number\">" : ">") inline(cells[i]) \
            (heads || i == 2 ? "</th>" : "</td>")
    }
    print "<tr>" text "</tr>"
}

/^<!--/ { next }
/^\|/ {
    end_paragraph()
    if (++rows == 1) { head = $0; next }
    if (rows == 2) {
        alignments = $0
        print "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"Table: " name "\">"
        print "<table><thead>"
        print_row(head, alignments, "head")
        print "</thead><tbody>"
        next
    }
    print_row($0, alignments, "body")
    next
}
{ end_table() }
/^$/ { end_paragraph(); next }
{ paragraph = paragraph (paragraph == "" ? "" : " ") $0 }
END { end_table(); end_paragraph() }
