import { cutText, defineErrors } from '@headwater/contract'

/**
 * Errors of outgoing connections. Failures of the remote side have status 424, because a task that fails with status
 * 500 or higher is retried as if this server had failed.
 */
export const egressErrors = defineErrors({
  egressUrlInvalid: {
    status: 400,
    message: ({ url }: { url: string }) =>
      `“${cutText(url)}” is not a URL that the server can request. Use http:// or https:// and a host, without a user name and a password.`,
  },
  egressHostInvalid: {
    status: 400,
    message: ({ host }: { host: string }) =>
      `“${cutText(host)}” is not a host and port that the server can connect to. Use a host name or an IP address, and a port from 1 to 65535.`,
  },
  egressHeaderInvalid: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `The header “${cutText(name)}” cannot be sent. Remove line breaks and control characters, and omit Host, Connection, Content-Length and Transfer-Encoding.`,
  },
  egressHostNotAllowed: {
    status: 403,
    message: ({ host }: { host: string }) =>
      `Connections to “${cutText(host)}” are not allowed. Ask an administrator to allow this host and port.`,
  },
  egressAddressForbidden: {
    status: 403,
    message: ({ host }: { host: string }) =>
      `“${cutText(host)}” is an internal host. Use a public host, or ask an administrator to add “${cutText(host)}” to HEADWATER_INTERNAL_HOSTS.`,
  },
  egressHostNotFound: {
    status: 424,
    message: ({ host }: { host: string }) =>
      `The host “${cutText(host)}” was not found. Check its name, or try again later.`,
  },
  egressConnectionFailed: {
    status: 424,
    message: ({ host, reason }: { host: string; reason: string }) =>
      `The connection to “${cutText(host)}” failed (${reason}). Check host and port, or try again later.`,
  },
  egressPassEnded: {
    status: 424,
    message: () =>
      'The connection was closed because the code that opened it has ended. Wait for the responses before the code ends.',
  },
  egressCertificateInvalid: {
    status: 424,
    message: ({ host, reason }: { host: string; reason: string }) =>
      `The certificate of “${cutText(host)}” is not valid (${reason}). Ask the operator of the host to renew it.`,
  },
  egressTimedOut: {
    status: 424,
    message: ({ host, seconds }: { host: string; seconds: number }) =>
      `“${cutText(host)}” did not respond completely within ${seconds} s. Try again later, or allow more time.`,
  },
  egressTooLarge: {
    status: 424,
    message: ({ host, bytes }: { host: string; bytes: number }) =>
      `The response of “${cutText(host)}” has more than ${bytes.toLocaleString('en')} bytes. Request less data.`,
  },
  egressHeadersTooLarge: {
    status: 424,
    message: ({ host, bytes }: { host: string; bytes: number }) =>
      `The headers of the response of “${cutText(host)}” have more than ${bytes.toLocaleString('en')} bytes. Use another URL.`,
  },
  egressTooManyRedirects: {
    status: 424,
    message: ({ host, count }: { host: string; count: number }) =>
      `“${cutText(host)}” redirected the request more than ${count} times. Use the URL at the end of the redirects.`,
  },
  egressRedirectInvalid: {
    status: 424,
    message: ({ host }: { host: string }) =>
      `“${cutText(host)}” redirected the request to an invalid URL. Use the URL of the target.`,
  },
  egressBodyNotRepeatable: {
    status: 424,
    message: ({ host }: { host: string }) =>
      `“${cutText(host)}” redirected a request with a streamed body, which cannot be sent twice. Use the URL of the target.`,
  },
})
