import type { FastifyInstance } from 'fastify'

/** Headers that a client on another origin may read. */
const exposedHeaders = 'Location, X-KH-JOB-ID, X-KH-NEXT-PAGE-TOKEN, X-KH-OVERFLOWS, X-KH-TOTAL-ROWS'

/** What every answer carries, unless its route says otherwise. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-store',
}

/** Browsers use https for a year, whatever an address says. Other names below this one are not concerned. */
const strictTransport = 'max-age=31536000'

/**
 * Adds the security headers to every answer, and CORS for the origins that are allowed. No cookies are used, so a page
 * of another origin can do nothing in a user's name. Pages may be framed: the product is made to be embedded.
 * @param isHttps whether users reach the server by https only
 */
export function addSecurityHeaders(
  app: FastifyInstance,
  { allowedOrigins, isHttps }: { allowedOrigins: readonly string[]; isHttps: boolean },
) {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders)
    if (isHttps) reply.header('Strict-Transport-Security', strictTransport)
    const { origin } = request.headers
    if (origin === undefined || !allowedOrigins.includes(origin)) return
    reply.headers({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Expose-Headers': exposedHeaders,
      Vary: 'Origin',
    })
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
      await reply
        .headers({
          'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
          'Access-Control-Allow-Headers':
            'Authorization, Content-Type, X-KH-JOB-ID, X-KH-E-ID, Target, Fields',
          'Access-Control-Max-Age': '600',
        })
        .code(204)
        .send()
    }
  })
}
