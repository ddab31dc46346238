import type { Plugin, Rolldown } from 'vite'
import { insightParts, insightScreen } from './code-groups.ts'

/** Pages that show an insight, as a regular expression of their path in any letter case. */
const insightPaths = '^/(Public/)?Insight/[^/]+/[^/]+'

/**
 * Writes `preloads.json`, which tells the server the code and styles that a page fetches as soon as the code of the start has run: named
 * in the document they arrive meanwhile. A list of `paths`, a regular expression, and `files` below the root of the site.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    // Vite removes chunks of nothing but styles in this same step, and must have done so before files are named.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const needed = withImports(
          [insightScreen, ...insightParts].map((end) => chunkWith(end, chunks)),
          chunks,
        )
        const known = withImports(
          chunks.filter(({ isEntry }) => isEntry),
          chunks,
        )
        const code = [...needed].filter((name) => !known.has(name))
        const styles = chunks
          .filter(({ fileName }) => code.includes(fileName))
          .flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])])
        const files = [...code, ...new Set(styles)].map((name) => `/${name}`)
        this.emitFile({
          type: 'asset',
          fileName: 'preloads.json',
          source: JSON.stringify([{ paths: insightPaths, files }]),
        })
      },
    },
  }
}

function chunkWith(end: string, chunks: readonly Rolldown.OutputChunk[]): Rolldown.OutputChunk {
  const found = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)))
  if (found === undefined)
    throw new Error(`No code is fetched for ${end}; name the parts of an insight anew.`)
  return found
}

/** Names of chunks and of all that come with them. */
function withImports(
  asked: readonly Rolldown.OutputChunk[],
  chunks: readonly Rolldown.OutputChunk[],
): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const names = new Set(asked.map(({ fileName }) => fileName))
  for (const name of names) for (const imported of byName.get(name)?.imports ?? []) names.add(imported)
  return names
}
