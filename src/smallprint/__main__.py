from smallprint.cli import main

main()
