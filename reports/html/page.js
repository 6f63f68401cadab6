/* The page is whole without it: it copies, unfolds all, and hides the groups that do not hold a word. */
document.documentElement.classList.add('js');
document.addEventListener('DOMContentLoaded', () => {
  const fallback = text => {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  };
  document.addEventListener('click', async event => {
    const button = event.target.closest('button[data-copy]');
    if (!button) return;
    const words = button.dataset.words ??= button.textContent;  // a second click finds 'Copied' there
    try { await navigator.clipboard.writeText(button.dataset.copy); } catch { fallback(button.dataset.copy); }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = words; }, 1200);
  });

  const groups = [...document.querySelectorAll('details.group')];
  const unfold = document.querySelector('#unfold');
  if (unfold) unfold.addEventListener('click', () => {
    const open = groups.some(group => !group.open);
    groups.forEach(group => { group.open = open; });
    unfold.textContent = open ? 'Fold all' : 'Unfold all';
  });
  const filter = document.querySelector('#filter');
  if (filter) filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    let shown = 0;
    groups.forEach(group => {
      const section = group.closest('section.engine');
      const text = (section.id + ' ' + group.dataset.text).toLowerCase();
      group.hidden = !words.every(word => text.includes(word));
      if (!group.hidden) ++shown;
    });
    document.querySelector('#shown').textContent = words.length ? shown + ' of ' + groups.length : '';
  });

  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === 'DETAILS') { target.open = true; target.scrollIntoView(); }
  };
  window.addEventListener('hashchange', follow);
  follow();
});
