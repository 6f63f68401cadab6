# Completion for fish: prover completion fish | source
complete -c prover -f
complete -c prover -n 'not __fish_seen_subcommand_from run list' -f -a run -d 'Judge `all` engines'
complete -c prover -n 'not __fish_seen_subcommand_from run list' -f -a list -d 'List things'
complete -c prover -n 'not __fish_seen_subcommand_from run list' -s h -l help -d 'Print this help and exit'
complete -c prover -n '__fish_seen_subcommand_from run' -s h -l help -d 'Print this help and exit'
complete -c prover -n '__fish_seen_subcommand_from run' -l suite -x -a 'smoke quick' -d 'Run this suite [or tier]: repeatable'
complete -c prover -n '__fish_seen_subcommand_from run' -s o -l output -r -F -d 'Write the report here, in \'DIR\''
complete -c prover -n '__fish_seen_subcommand_from run' -F
complete -c prover -n '__fish_seen_subcommand_from list; and not __fish_seen_subcommand_from engines' -f -a engines -d 'List engines\\'
complete -c prover -n '__fish_seen_subcommand_from list; and not __fish_seen_subcommand_from engines' -s h -l help -d 'Print this help and exit'
complete -c prover -n '__fish_seen_subcommand_from list; and __fish_seen_subcommand_from engines' -s h -l help -d 'Print this help and exit'
