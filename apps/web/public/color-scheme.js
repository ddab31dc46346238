// Paints the first frame in the colour scheme the user chose, before that in the one of the system; a file of its own
// because the page allows no inline script.
;(function () {
  let chosen = 'auto'
  try {
    chosen = localStorage.getItem('ng-darkmode') || 'auto'
  } catch {
    // a browser that forbids storage follows the system
  }
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
