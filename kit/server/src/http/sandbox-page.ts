import type { FastifyInstance } from 'fastify'
import { frameAncestorsPolicy } from './security-headers.ts'

/**
 * The page posts `{ sandbox: 'ready' }` to its parent, receives one message `{ html, data, style }` from it and
 * replaces its document with that HTML. The data are available as `window.headwater.data`.
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
 * Serves the page that runs user code inside a frame. The document has an opaque origin, shares nothing with this
 * site and cannot send requests. Browsers cannot restrict WebRTC, so scripts in the page could still send data to other
 * hosts.
 * @param frameAncestors other origins with pages that can embed the application in a frame
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
        // This header is needed because the content security policy does not cover DNS lookups.
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
