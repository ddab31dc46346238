import type { FastifyInstance } from 'fastify'

/**
 * Tracks the routes that are added from now on, except routes with `*`. Returns a function that lists the methods of a path.
 */
export function trackMethods(app: FastifyInstance): (path: string) => string[] {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const methods = methodsOf.get(url) ?? new Set()
    for (const each of [method].flat()) methods.add(each)
    methodsOf.set(url, methods)
  })
  return (path) => {
    const segments = segmentsOf(path)
    const known = [...methodsOf].filter(([pattern]) => matches(segmentsOf(pattern), segments))
    return [...new Set(known.flatMap(([, methods]) => [...methods]))].sort()
  }
}

function segmentsOf(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}

function matches(pattern: string[], segments: string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
  )
}
