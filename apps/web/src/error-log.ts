import { reportError as reportErrorRoute } from '@headwater/accounts/contract'
import { session } from '@headwater/accounts/web'
import { call, onErrorReport } from '@headwater/web-kit'

const mostPerMinute = 10

/** Sends error reports of this page to the error log of the server, with the message and the user name. */
export function sendErrorReports(): void {
  let sentInMinute = 0
  setInterval(() => (sentInMinute = 0), 60_000)
  onErrorReport(({ message, level }) => {
    if (++sentInMinute > mostPerMinute) return
    const state = session.state.get()
    const userName = state.phase === 'signed-in' ? state.user.settings.userName : ''
    // a report that cannot be sent must not become a report itself
    call(reportErrorRoute, { body: { message, userName, level } }, { keep: true }).catch(() => undefined)
  })
}
