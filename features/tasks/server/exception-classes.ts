import type { ErrorClass } from '@headwater/runs/contract'

const timeouts =
  /(^|\.)(TimeoutError|Timeout|ConnectTimeout|ReadTimeout|ConnectTimeoutError|ReadTimeoutError)$/
const connections =
  /^(ConnectionError|Connection(Aborted|Refused|Reset)Error|BrokenPipeError|socket\.gaierror|urllib\.error\.URLError|requests\.exceptions\.(ConnectionError|ProxyError|ChunkedEncodingError)|http\.client\.(RemoteDisconnected|IncompleteRead))$/
const responses = /^(urllib\.error|requests\.exceptions)\.HTTPError$/
const unavailable = /^(HTTP Error )?(429|5\d\d)\b/
/** The proxy has refused the host. */
const refused = /Tunnel connection failed: 4\d\d/

/**
 * Returns the classes of an uncaught exception in a script: `script`, and for network exceptions of Python, `urllib` and
 * `requests` also the class of the network error.
 */
export function exceptionClasses({ name, message }: { name: string; message: string }): ErrorClass[] {
  if (refused.test(message)) return ['script']
  if (timeouts.test(name) || (connections.test(name) && /\btimed out\b/.test(message)))
    return ['script', 'timeout']
  if (connections.test(name)) return ['script', 'connection']
  if (responses.test(name) && unavailable.test(message)) return ['script', 'unavailable']
  return ['script']
}
