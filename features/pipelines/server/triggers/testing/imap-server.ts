import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

/** A Dovecot server with one mailbox, for one test file. */
export interface ImapServer {
  /** URL for HEADWATER_IMAP_URL. */
  url: string
  /** Delivers an e-mail to the mailbox. */
  deliver(mail: string): Promise<void>
  /** Returns the numbers of unseen and seen e-mails. */
  count(): Promise<{ unseen: number; seen: number }>
  /** Stops the server. */
  stop(): Promise<void>
}

const program = '/usr/sbin/dovecot'
/** User and group id of `nobody` on Debian. */
const nobody = 65_534

/**
 * Starts Dovecot (the Debian package dovecot-imapd) in a temporary folder.
 * @param tls certificate and key in PEM format, for a port with implicit TLS; default: without TLS
 */
export async function startImapServer(tls?: { certificate: string; key: string }): Promise<ImapServer> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-imap-'))
  const maildir = join(folder, 'mail')
  for (const name of ['new', 'cur', 'tmp']) await mkdir(join(maildir, name), { recursive: true })
  const port = await freePort()
  const user = userInfo()
  const isRoot = user.uid === 0
  // Dovecot refuses to run as root; its package creates these users.
  const names = isRoot
    ? { internal: 'dovecot', login: 'dovenull' }
    : { internal: user.username, login: user.username }
  const owner = isRoot ? { uid: nobody, gid: nobody } : user
  if (isRoot) {
    await chmod(folder, 0o755)
    for (const each of [maildir, ...['new', 'cur', 'tmp'].map((name) => join(maildir, name))])
      await chown(each, nobody, nobody)
  }
  const config = join(folder, 'dovecot.conf')
  if (tls !== undefined) await writeFile(join(folder, 'tls.pem'), tls.certificate + tls.key, { mode: 0o600 })
  await writeFile(join(folder, 'users'), `reader:{PLAIN}secret::::::\n`)
  await writeFile(
    config,
    `protocols = imap
listen = 127.0.0.1
base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'state')}
log_path = ${join(folder, 'log')}
default_internal_user = ${names.internal}
default_internal_group = ${names.internal}
default_login_user = ${names.login}
${tls === undefined ? 'ssl = no' : `ssl = yes\nssl_cert = <${join(folder, 'tls.pem')}\nssl_key = <${join(folder, 'tls.pem')}`}
disable_plaintext_auth = no
first_valid_uid = 0
mail_location = maildir:${maildir}
passdb {
  driver = passwd-file
  args = ${join(folder, 'users')}
}
userdb {
  driver = static
  args = uid=${owner.uid} gid=${owner.gid} home=${maildir}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${tls === undefined ? port : 0}
  }
  inet_listener imaps {
    port = ${tls === undefined ? 0 : port}
    ssl = yes
  }
}
service anvil {
  chroot =
}
`,
  )
  const dovecot = spawn(program, ['-F', '-c', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  dovecot.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  const gone = new Promise<void>((resolve, reject) => {
    dovecot.once('exit', () => resolve())
    dovecot.once('error', reject)
  })
  await Promise.race([
    waitForPort(port),
    gone.then(() => Promise.reject(new Error(`Dovecot ended: ${output}. Install dovecot-imapd.`))),
  ])
  let number = 0
  return {
    url: `imap://reader:secret@127.0.0.1:${port}/INBOX`,
    async deliver(mail) {
      const name = `${Date.now()}.${++number}.test`
      await writeFile(join(maildir, 'tmp', name), mail)
      if (isRoot) await chown(join(maildir, 'tmp', name), nobody, nobody)
      await rename(join(maildir, 'tmp', name), join(maildir, 'new', name))
    },
    async count() {
      const names = (await Promise.all(['new', 'cur'].map((each) => readdir(join(maildir, each))))).flat()
      const seen = names.filter((name) => /:2,\w*S/.test(name)).length
      return { unseen: names.length - seen, seen }
    },
    async stop() {
      dovecot.kill()
      await gone
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Returns an unused TCP port. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

async function waitForPort(port: number): Promise<void> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.end())
    })
    if (isOpen) return
    if (Date.now() > deadline) throw new Error('Dovecot does not listen.')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
