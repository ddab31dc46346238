import type { FastifyInstance } from 'fastify'
import { frameAncestorsPolicy } from './security-headers.ts'

/**
 * The page receives one message of the page around it, `{ html, data, style }`, and becomes that document; the data are
 * in `window.headwater.data`. It posts `{ sandbox: 'ready' }` when it can receive the message.
 */
const page = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Code of a tile</title></head>
<body>
<script>
addEventListener('message', function take(event) {
  if (event.source !== parent) return
  removeEventListener('message', take)
  const { html, data, style } = event.data
  window.headwater = { data }
  document.open()
  document.write(/^\\s*<!doctype/i.test(html) ? html : '<!doctype html>' + html)
  document.close()
  const sheet = document.createElement('style')
  sheet.textContent = style
  document.head.prepend(sheet)
})
parent.postMessage({ sandbox: 'ready' }, '*')
</script>
</body>
</html>
`

/**
 * Serves the page in which code of users runs: a document with an opaque origin, which shares nothing with this site and can
 * reach no address. It is meant for a frame.
 * @param frameAncestors origins whose pages can show the application in a frame, besides its own
 */
export function serveSandboxPage(
  app: FastifyInstance,
  { frameAncestors }: { frameAncestors: readonly string[] },
): void {
  app.get('/sandbox', async (_, reply) =>
    reply
      .headers({
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': contentSecurityPolicy(frameAncestors),
        // The policy does not cover DNS lookups.
        'X-DNS-Prefetch-Control': 'off',
        'Cache-Control': 'no-cache',
      })
      .send(page),
  )
}

function contentSecurityPolicy(frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    frameAncestorsPolicy(frameAncestors),
    'sandbox allow-scripts',
  ].join('; ')
}
