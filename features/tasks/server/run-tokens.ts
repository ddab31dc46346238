import { createHmac, timingSafeEqual } from 'node:crypto'
import { commonErrors } from '@headwater/contract'
import type { Authenticate, Clock, Principal, RunAttempt, TestRun } from '@headwater/server-kit'

/** Tokens that authenticate the code of a task at the API while it runs. */
export interface RunTokens {
  /** Signs a token. It is never stored in the database. */
  sign(grant: RunGrant): string
  /** Authenticates requests with a run token, and passes other requests to `next`. */
  authenticate(next: Authenticate): Authenticate
}

/** Access that a token grants to the code of one attempt: the reduced access of a user. */
export interface RunGrant {
  /** User who started the run. */
  userId: number
  /** Attempt that the token belongs to. Servers accept the token only while this attempt is running. */
  run: RunAttempt
  /** Latest time of expiry. */
  ends: Date
}

/** Dependencies of run tokens. */
export interface RunTokensDependencies {
  /** Secret of the installation, the same on all of its servers and workers. */
  secret: string
  /** Clock for the expiry. */
  clock: Clock
  /** Returns whether an attempt is running, on any worker. */
  isAttemptRunning: (run: RunAttempt) => Promise<boolean>
  /** Returns a test run in progress in this process. Default: there are none. */
  findTestRun?: (run: RunAttempt) => TestRun | undefined
  /** Returns the principal of an active user. Called for each request, so that changes apply immediately. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/**
 * Creates the tokens with a key derived from the secret of the installation, so that every server and worker of the
 * installation accepts them. The Python SDKs send a string as a bearer token if it has 70 or more characters and does not begin
 * with a scheme or `NG_`.
 */
export function createRunTokens(dependencies: RunTokensDependencies): RunTokens {
  const { secret, clock, isAttemptRunning, findPrincipal, findTestRun = () => undefined } = dependencies
  const key = createHmac('sha256', secret).update('tokens of runs').digest()

  function signatureOf(content: Buffer): Buffer {
    return createHmac('sha256', key).update(content).digest().subarray(0, signatureBytes)
  }

  /** Returns the access that a valid token grants; undefined for a forged or expired one. */
  function read(token: string): RunGrant | undefined {
    const bytes = Buffer.from(token.slice(prefix.length), 'base64url')
    // Several strings decode to the same bytes; only the canonical one is valid.
    if (bytes.length !== contentBytes + signatureBytes || textOf(bytes) !== token) return undefined
    const content = bytes.subarray(0, contentBytes)
    if (!timingSafeEqual(bytes.subarray(contentBytes), signatureOf(content))) return undefined
    const grant = decodeGrant(content)
    return clock.now() < grant.ends ? grant : undefined
  }

  return {
    sign(grant) {
      const content = encodeGrant(grant)
      return textOf(Buffer.concat([content, signatureOf(content)]))
    },
    authenticate: (next) => async (request) => {
      const token = /^Bearer\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
      if (!token?.startsWith(prefix)) return next(request)
      const grant = read(token)
      if (grant === undefined) throw commonErrors.signInNeeded()
      const testRun = findTestRun(grant.run)
      if (testRun === undefined && !(await isAttemptRunning(grant.run))) throw commonErrors.signInNeeded()
      const principal = await findPrincipal(grant.userId)
      if (principal === undefined) throw commonErrors.signInNeeded()
      return { ...inRun(principal, grant.run), ...(testRun === undefined ? {} : { testRun }) }
    },
  }
}

/** Distinguishes run tokens from session tokens and API keys. */
const prefix = 'run.'
/**
 * Length of the signature in bytes: 160 of 256 bits, because scripts pass the token through fields with at most 100
 * characters.
 */
const signatureBytes = 20
/** Length of the content in bytes: user 6, second of expiry 5, run 16, execution 16, attempt 3. */
const contentBytes = 46

function textOf(bytes: Buffer): string {
  return `${prefix}${bytes.toString('base64url')}`
}

function encodeGrant({ userId, run, ends }: RunGrant): Buffer {
  const content = Buffer.alloc(contentBytes)
  content.writeUIntBE(userId, 0, 6)
  content.writeUIntBE(Math.floor(ends.getTime() / 1000), 6, 5)
  content.write(run.runId.replaceAll('-', ''), 11, 'hex')
  content.write(run.eId.replaceAll('-', ''), 27, 'hex')
  content.writeUIntBE(run.attempt, 43, 3)
  return content
}

function decodeGrant(content: Buffer): RunGrant {
  return {
    userId: content.readUIntBE(0, 6),
    ends: new Date(content.readUIntBE(6, 5) * 1000),
    run: { runId: uuidAt(content, 11), eId: uuidAt(content, 27), attempt: content.readUIntBE(43, 3) },
  }
}

function uuidAt(content: Buffer, start: number): string {
  const hex = content.toString('hex', start, start + 16)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** Returns the principal of a user without administrator access. */
function inRun(principal: Principal, run: RunAttempt): Principal {
  return {
    ...principal,
    run,
    isAdministrator: false,
    can: (resource, mode) => !/^(MyAccount|Administrator)\b/.test(resource) && principal.can(resource, mode),
  }
}
