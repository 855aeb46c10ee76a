#!/usr/bin/env bash
# A preprocessor of mdBook: links that leave the guide lead to the repository. The pages themselves have relative links,
# which work in a checkout.
set -euo pipefail
[ "${1:-}" = supports ] && exit
# the environment in which this book is built, and the book: one line
url=$(sed -n 's/^repository = "\(.*\)"/\1/p' "$(dirname "$0")/../Cargo.toml")
sed -e 's/^\[.*"mdbook_version":"[^"]*"},//' -e 's/\]$//' -e "s|](\.\./|]($url/blob/main/|g"
