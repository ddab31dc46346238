// Applies the colour scheme of the user, or by default that of the system, before the first frame is painted. It is a
// separate file, because the page does not allow inline scripts.
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
