# Completion for bash: source <(prover completion bash)
_prover_words() {
  case $1 in
    '') echo 'run list -h --help' ;;
    'run') echo '-h --help --suite -o --output' ;;
    'list') echo 'engines -h --help' ;;
    'list engines') echo '-h --help' ;;
  esac
}
_prover_takes() {
  case $1 in
    'run') echo ' --suite -o --output ' ;;
  esac
}
_prover_values() {
  case $1 in
    'run --suite') printf '%s\n' 'smoke' 'quick' ;;
  esac
}
_prover() {
  local line=${COMP_LINE:0:COMP_POINT} path='' before='' current='' word words
  read -ra words <<<"$line"
  if [[ $line != *[[:space:]] ]]; then
    current=${words[-1]}
    unset 'words[-1]'
  fi
  for word in "${words[@]:1}"; do
    if [[ -n $before ]]; then
      before=''
    elif [[ $word == -* ]]; then
      [[ $(_prover_takes "$path") != *" $word "* ]] || before=$word
    elif [[ " $(_prover_words "$path") " == *" $word "* ]]; then
      path=${path:+$path }$word
    fi
  done
  if [[ $current == --*=* ]]; then
    before=${current%%=*}
    current=${current#*=}
  fi
  COMPREPLY=()
  local choices
  if [[ -n $before ]]; then
    choices=$(_prover_values "$path $before")
  elif [[ $current == -* ]]; then
    choices=$(printf '%s\n' $(_prover_words "$path"))
  else
    choices=$(printf '%s\n' $(_prover_words "$path") | grep -v '^-')
  fi
  if [[ -z $choices ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS= read -r word; do # a word may hold blanks and brackets
    [[ $word != "$current"* ]] || COMPREPLY+=("$(printf %q "$word")")
  done <<<"$choices"
  # Readline has begun a new word at each =, : and @, and replaces that one alone.
  word=${current%"${current##*[=:@]}"}
  COMPREPLY=("${COMPREPLY[@]#"$word"}")
}
complete -F _prover prover
