// Paints the first frame in the colour scheme the user chose; a file of its own because the page allows no inline script.
;(function () {
  let chosen = 'light'
  try {
    chosen = localStorage.getItem('ng-darkmode') || 'light'
  } catch {
    // a browser that forbids storage starts light
  }
  const dark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light')
})()
