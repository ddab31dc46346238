import type { RouteContext } from '@headwater/server-kit'
import type { Logo } from './logo-service.ts'

/** Sends a logo with the media type of its bytes. Responds with 304 to clients that have it cached. */
export function sendLogo(
  { request, reply }: Pick<RouteContext, 'request' | 'reply'>,
  { contentType, bytes, etag }: Logo,
): unknown {
  reply.headers({ 'Cache-Control': 'private, no-cache', ETag: etag })
  if (request.headers['if-none-match'] === etag) return reply.status(304).send()
  return reply.headers({ 'Content-Type': contentType, 'Content-Length': bytes.length }).send(bytes)
}
