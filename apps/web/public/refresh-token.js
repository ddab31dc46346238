// Takes a refresh token out of the address and the history before anything else runs; a file of its own because the page
// allows no inline script.
;(function () {
  const address = new URL(location.href)
  const token = address.searchParams.get('refreshToken')
  if (token === null) return
  address.searchParams.delete('refreshToken')
  history.replaceState(history.state, '', address)
  if (token === '') return
  window.takeRefreshToken = function () {
    delete window.takeRefreshToken
    return token
  }
})()
