import type { RouteContext } from '@headwater/server-kit'
import type { Logo } from './logo-service.ts'

/** Sends a logo as the picture its bytes say it is. The address carries its id, so it may be kept for ever. */
export function sendLogo(reply: RouteContext['reply'], { contentType, bytes, etag }: Logo): unknown {
  return reply
    .headers({
      'Content-Type': contentType,
      'Content-Length': bytes.length,
      'Cache-Control': 'private, max-age=31536000, immutable',
      ETag: etag,
    })
    .send(bytes)
}
