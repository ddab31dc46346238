import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import type { Clock } from '@headwater/server-kit'

/** How long an access token is valid. */
const accessTokenSeconds = 15 * 60

const issuer = 'headwater'
const audience = 'headwater-api'

const payloadSchema = z.object({ sub: z.uuid(), sid: z.uuid() })

/** What an access token says: which user (by `sub`) in which session. */
export interface AccessClaims {
  sub: string
  sessionId: string
}

/** Issues and reads access tokens. */
export interface AccessTokens {
  issue(claims: AccessClaims): Promise<string>
  /** The claims of a valid token; undefined for any other text, whatever is wrong with it. */
  read(token: string): Promise<AccessClaims | undefined>
}

/**
 * Creates the issuer of access tokens: JWT signed with HS256.
 * @param secret at least 32 characters of randomness, the same on all servers of an installation
 */
export function createAccessTokens({ secret, clock }: { secret: string; clock: Clock }): AccessTokens {
  if (secret.length < 32) throw new Error('The secret of access tokens must have at least 32 characters.')
  const key = new TextEncoder().encode(secret)
  return {
    async issue({ sub, sessionId }) {
      const issuedAt = Math.floor(clock.now().getTime() / 1000)
      return new SignJWT({ sid: sessionId })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(sub)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + accessTokenSeconds)
        .sign(key)
    },
    async read(token) {
      const result = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        currentDate: clock.now(),
      }).catch(() => undefined)
      const claims = payloadSchema.safeParse(result?.payload).data
      return claims && { sub: claims.sub, sessionId: claims.sid }
    },
  }
}
