// Removes a refresh token from the URL and the history before any other code runs. It is a separate file, because the
// page does not allow inline scripts.
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
