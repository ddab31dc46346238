import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { frameAncestorsPolicy } from './security-headers.ts'

/** The built web application: its files, and its page for every other path. */
export interface WebApp {
  /** Sends the page if the request is a navigation of a browser; otherwise returns false. */
  sendPage(request: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

const noncePlaceholder = '__CSP_NONCE__'

/**
 * Serves the built web application. The page has a strict content security policy with a new nonce in each response;
 * files under `/assets` have a content hash in their names and can be cached indefinitely.
 * @param folder output folder of the build; its optional `preloads.json` lists the additional code and styles that pages
 *   need
 * @param frameAncestors other origins with pages that can embed the application in a frame
 * @param framedPaths the pages that other origins can embed; default all
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
    // The built-in route of the plugin would list the whole folder for each file.
    serve: false,
    index: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders(reply, path) {
      const isAsset = path.startsWith(assetsFolder)
      // A worker has its own policy: it sends no requests, but compiles the decoders that it receives.
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
      const canBeFramed = framedPaths.test(path)
      const preloads = hasPreloads ? await readPreloads() : []
      const links = preloads.find(({ paths }) => paths.test(path))?.links ?? ''
      const page = (await readPage())
        .replaceAll(noncePlaceholder, nonce)
        .replace('</head>', `${links}</head>`)
      await reply
        .code(200)
        .headers({
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': contentSecurityPolicy(nonce, canBeFramed ? frameAncestors : []),
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
    // User code runs in a page of this site with an opaque origin, which cannot navigate its frame to another site.
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    frameAncestorsPolicy(frameAncestors),
  ].join('; ')
}

/** The code and styles to preload for some pages. */
interface Preloads {
  /** Paths of the pages. */
  paths: RegExp
  /** Links for the head of the document. */
  links: string
}

/** Reads the list of the build: entries of `paths`, a regular expression, and `files` below the root of the site. */
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
