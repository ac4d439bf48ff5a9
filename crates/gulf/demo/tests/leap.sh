#!/bin/sh
# Asks leap.sh about four years. The output is TAP, so every case has a name (https://testanything.org).

cd "$(dirname "$0")/.." || exit 1
number=0
failed=0

is() {
    number=$((number + 1))
    said=$(sh leap.sh "$1" 2>&1)
    if [ "$said" = "$2" ]; then
        echo "ok $number - $1 is a $2"
    else
        failed=$((failed + 1))
        echo "not ok $number - $1 is a $2"
        echo "# leap.sh $1 said: $said"
    fi
}

echo "TAP version 14"
echo "1..4"
is 2023 "common year"
is 2024 "leap year"
is 1900 "common year"
is 2000 "leap year"

[ "$failed" -eq 0 ]
