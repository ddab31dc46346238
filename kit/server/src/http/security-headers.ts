import type { FastifyInstance } from 'fastify'

/** Headers that a client on another origin may read. */
const exposedHeaders = 'Location, X-KH-JOB-ID, X-KH-NEXT-PAGE-TOKEN, X-KH-OVERFLOWS, X-KH-TOTAL-ROWS'

/** Headers of every response, unless its route sets others. */
export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cache-Control': 'no-store',
}

/** Returns the directive of a content security policy that lists the pages allowed to embed a document in a frame. */
export function frameAncestorsPolicy(origins: readonly string[]): string {
  return `frame-ancestors ${["'self'", ...origins].join(' ')}`
}

/** Makes browsers use https for a year. Subdomains are not included. */
const strictTransport = 'max-age=31536000'

/**
 * Adds the security headers to every response, and CORS for the allowed origins. There are no cookies, so a page of
 * another origin cannot act on behalf of a user. Framing is allowed because the product is designed to be embedded.
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
