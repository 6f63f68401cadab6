#compdef prover
# Completion for zsh: prover completion zsh >DIR/_prover, with DIR in fpath
_prover_run() {
  _arguments -s \
    '*-h[Print this help and exit]' \
    '*--help[Print this help and exit]' \
    '*--suite=[Run this suite \[or tier\]\: repeatable]:SUITE:(smoke quick)' \
    '*-o[Write the report here, in '\''DIR'\'']:DIR:_files' \
    '*--output=[Write the report here, in '\''DIR'\'']:DIR:_files' \
    '*:STORE...:_files'
}
_prover_list_engines() {
  _arguments -s \
    '*-h[Print this help and exit]' \
    '*--help[Print this help and exit]'
}
_prover_list() {
  local -a commands=(
    'engines:List engines\\')
  _arguments -C \
    '*-h[Print this help and exit]' \
    '*--help[Print this help and exit]' \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
        engines) _prover_list_engines ;;
      esac ;;
  esac
}
_prover() {
  local -a commands=(
    'run:Judge `all` engines'
    'list:List things')
  _arguments -C \
    '*-h[Print this help and exit]' \
    '*--help[Print this help and exit]' \
    '1: :->command' \
    '*:: :->rest'
  case $state in
    command) _describe command commands ;;
    rest)
      case $words[1] in
        run) _prover_run ;;
        list) _prover_list ;;
      esac ;;
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _prover "$@"; else compdef _prover prover; fi
