import { jwtVerify, SignJWT } from 'jose'
import { z } from 'zod'
import { setNewest } from '@headwater/contract'
import type { Clock } from '@headwater/server-kit'

/** Lifetime of an access token. */
const accessTokenSeconds = 15 * 60

const issuer = 'headwater'
const audience = 'headwater-api'

const payloadSchema = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() })

/** Number of tokens whose verified signature is cached. Every request still checks that the session has not ended. */
const maxChecked = 2000

/** The verified content of an access token. */
export interface AccessClaims {
  /** Stable id of the user, a UUID. */
  sub: string
  /** Id of the session, a UUID. */
  sessionId: string
}

/** Issues and reads access tokens. */
export interface AccessTokens {
  /** Signs a token that is valid for 15 minutes. */
  issue(claims: AccessClaims): Promise<string>
  /** Returns the claims of a valid token; undefined for any other text. */
  read(token: string): Promise<AccessClaims | undefined>
}

/**
 * Issues and verifies access tokens: JWT signed with HS256.
 * @param secret at least 32 random characters, the same on all servers of an installation
 */
export function createAccessTokens({ secret, clock }: { secret: string; clock: Clock }): AccessTokens {
  if (secret.length < 32) throw new Error('The secret of access tokens must have at least 32 characters.')
  const key = new TextEncoder().encode(secret)
  /** Tokens whose signature was checked, the oldest first. */
  const checked = new Map<string, AccessClaims & { expiresAt: number }>()
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000)
  return {
    async issue({ sub, sessionId }) {
      const issuedAt = nowSeconds()
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
      const known = checked.get(token)
      if (known !== undefined && known.expiresAt > nowSeconds())
        return { sub: known.sub, sessionId: known.sessionId }
      checked.delete(token)
      const result = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms: ['HS256'],
        requiredClaims: ['exp'],
        currentDate: clock.now(),
      }).catch(() => undefined)
      const claims = payloadSchema.safeParse(result?.payload).data
      if (claims === undefined) return undefined
      const { sub, sid: sessionId, exp: expiresAt } = claims
      setNewest(checked, token, { sub, sessionId, expiresAt }, maxChecked)
      return { sub, sessionId }
    },
  }
}
