/* The page is whole without it: it copies, unfolds all, and hides the causes that do not hold a word. */
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

  const causes = [...document.querySelectorAll('details.cause')];
  const unfold = document.querySelector('#unfold');
  if (unfold) unfold.addEventListener('click', () => {
    const open = causes.some(cause => !cause.open);
    causes.forEach(cause => { cause.open = open; });
    unfold.textContent = open ? 'Fold all' : 'Unfold all';
  });
  const filter = document.querySelector('#filter');
  const narrow = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(word => word);
    let shown = 0;
    causes.forEach(cause => {
      const section = cause.closest('section.engine');
      const text = (section.id + ' ' + cause.dataset.text).toLowerCase();
      cause.hidden = !words.every(word => text.includes(word));
      if (!cause.hidden) ++shown;
    });
    // A heading stands for the causes behind it, a section for all of its engine's.
    document.querySelectorAll('section.engine').forEach(section => {
      const own = [...section.querySelectorAll(':scope > details.cause')];
      section.hidden = words.length > 0 && own.every(cause => cause.hidden);
      section.querySelectorAll(':scope > h3').forEach(heading => {
        heading.hidden = true;
        for (let next = heading.nextElementSibling; next && next.matches('details.cause'); next = next.nextElementSibling)
          if (!next.hidden) heading.hidden = false;
      });
    });
    document.querySelector('#shown').textContent = words.length ? shown + ' of ' + causes.length : '';
  };
  if (filter) {
    filter.addEventListener('input', () => {
      narrow();
      try { history.replaceState(null, '', '?filter=' + encodeURIComponent(filter.value) + location.hash); } catch { /* a file has no history */ }
    });
    filter.value = new URLSearchParams(location.search).get('filter') ?? '';
    narrow();
  }

  const follow = () => {
    const target = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === 'DETAILS') { target.open = true; target.scrollIntoView(); }
  };
  window.addEventListener('hashchange', follow);
  follow();
});
