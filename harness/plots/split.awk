# Rows whose first column, `figure`, is F go to figures/F.tsv, each such file with the header.
BEGIN { FS = "\t" }
NR == 1 { header = $0; next }
!seen[$1]++ { print header > ("figures/" $1 ".tsv") }
{ print > ("figures/" $1 ".tsv") }
