import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The built web application: its files, and its page for every path that is nothing else. */
export interface WebApp {
  /** Answers with the page when the request is a navigation of a browser; false when it is not. */
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

const noncePlaceholder = '__CSP_NONCE__'

/**
 * Serves the built web application. The page carries a strict content security policy with a nonce of its own at each
 * answer; files under `/assets` have content in their names and may be kept for ever.
 * @param folder the folder that the build wrote; its `preloads.json`, if there is one, names the code and styles that pages need besides those of the start
 * @param frameAncestors origins whose pages may show the application in a frame, besides its own
 * @param framedPaths which pages they may show; default all
 */
export async function serveWebApp(
  app: FastifyInstance,
  {
    folder,
    frameAncestors,
    framedPaths = /^/,
  }: { folder: string; frameAncestors: readonly string[]; framedPaths?: RegExp | undefined },
): Promise<WebApp> {
  const assetsFolder = join(folder, 'assets') + sep
  await app.register(fastifyStatic, {
    root: folder,
    // The plugin's own route lists the whole folder for each file.
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const isAsset = path.startsWith(assetsFolder)
      // a worker has a policy of its own: it asks for nothing, and compiles decoders that are handed to it
      if (isAsset && /\.worker\b/.test(path))
        void reply.header('Content-Security-Policy', "default-src 'none'; script-src 'wasm-unsafe-eval'")
      void reply.header('Cache-Control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler(request, reply) {
      const path = request.params['*']
      return /(?:^|\/)(?:\/|$)/.test(path) ? reply.callNotFound() : reply.sendFile(path)
    },
  })
  const readPage = cachedByChange(join(folder, 'index.html'), (text) => text)
  const preloadsFile = join(folder, 'preloads.json')
  const hasPreloads = existsSync(preloadsFile)
  const readPreloads = cachedByChange(preloadsFile, preloadsIn)
  return {
    async sendPage(request, reply) {
      const isNavigation = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html')
      if (!isNavigation) return false
      const nonce = randomBytes(16).toString('base64')
      const path = request.url.split('?')[0] ?? ''
      const mayBeFramed = framedPaths.test(path)
      const preloads = hasPreloads ? await readPreloads() : []
      const links = preloads.find(({ paths }) => paths.test(path))?.links ?? ''
      const page = (await readPage())
        .replaceAll(noncePlaceholder, nonce)
        .replace('</head>', `${links}</head>`)
      await reply
        .code(200)
        .headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': contentSecurityPolicy(nonce, mayBeFramed ? frameAncestors : []),
          'Cache-Control': 'no-store',
        })
        .send(page)
      return true
    },
  }
}

function contentSecurityPolicy(nonce: string, frameAncestors: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    // code of users runs in a page of this site that belongs to no origin; it cannot lead its frame anywhere else
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${["'self'", ...frameAncestors].join(' ')}`,
  ].join('; ')
}

/** The code and styles that a page fetches first of all, as links for its document. */
interface Preloads {
  paths: RegExp
  links: string
}

/** What the build says of pages: a list of `paths`, a regular expression, and `files` below the root of the site. */
function preloadsIn(text: string): Preloads[] {
  return (JSON.parse(text) as { paths: string; files: string[] }[]).map(({ paths, files }) => ({
    paths: new RegExp(paths, 'i'),
    links: files.map(preloadOf).join(''),
  }))
}

function preloadOf(file: string): string {
  return file.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${file}" />`
    : `<link rel="modulepreload" href="${file}" />`
}

function cachedByChange<T>(path: string, read: (text: string) => T): () => Promise<T> {
  let cached: { changedAt: number; value: T } | undefined
  return async () => {
    const { mtimeMs } = await stat(path)
    if (cached?.changedAt !== mtimeMs)
      cached = { changedAt: mtimeMs, value: read(await readFile(path, 'utf8')) }
    return cached.value
  }
}
