#!/bin/sh
# The worker of `gulf demo`. It is a script and no model: it shows what gulf does with a worker that is too sure of
# itself. As any agent behind `--agent command:…`, it gets the prompt on standard input, works in the current
# directory, and its standard output is its final message.
#
# It keeps no notes between its turns: only what gulf tells it in the prompt makes it do better.

prompt=$(cat)

# Writes leap.sh anew, with this as the condition for a leap year.
rewrite() {
    cat > leap.sh <<PROGRAM
#!/bin/sh
# Usage: sh leap.sh YEAR
# Says whether the year is a leap year.

year=\$1
if $1; then
    echo "leap year"
else
    echo "common year"
fi
PROGRAM
}

case $prompt in
*"not ok 4 - 2000 is a leap year"*)
    if [ "$1" = stubborn ]; then
        echo "I have looked again and see nothing wrong. I change nothing: it is done."
    else
        rewrite '[ $((year % 4)) -eq 0 ] && [ $((year % 100)) -ne 0 ] || [ $((year % 400)) -eq 0 ]'
        echo "I was told that 2000 fails: every 400 years a century is a leap year."
        echo "leap.sh now has that rule too."
    fi
    ;;
*)
    rewrite '[ $((year % 4)) -eq 0 ] && [ $((year % 100)) -ne 0 ]'
    echo "1900 was wrong: centuries are common years. leap.sh now has that rule."
    echo "It is such a small change that I did not run the tests."
    ;;
esac

echo
echo "<promise>COMPLETE</promise>"
