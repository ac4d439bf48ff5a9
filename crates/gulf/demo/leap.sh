#!/bin/sh
# Usage: sh leap.sh YEAR
# Says whether the year is a leap year.

year=$1
if [ $((year % 4)) -eq 0 ]; then
    echo "leap year"
else
    echo "common year"
fi
