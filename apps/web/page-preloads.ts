import type { Plugin, Rolldown } from 'vite'
import { insightParts, insightScreen } from './code-groups.ts'

/** Pages with an insight, as a regular expression of their paths, regardless of case. */
const insightPaths = '^/(Public/)?Insight/[^/]+/[^/]+'

/**
 * Writes `preloads.json`, the code and styles that a page loads right after the entry code. The server links them in the document, so
 * that they load in parallel. The file is a list of `paths`, a regular expression, and `files` below the root of the site.
 */
export function pagePreloads(): Plugin {
  return {
    name: 'page-preloads',
    // Vite removes chunks that contain only styles in the same step, which must run before this one.
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
  const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(end)))
  if (chunk === undefined)
    throw new Error(`No chunk contains ${end}. Update the list of the parts of an insight.`)
  return chunk
}

/** Returns the names of chunks and of all chunks that they import. */
function withImports(
  entries: readonly Rolldown.OutputChunk[],
  chunks: readonly Rolldown.OutputChunk[],
): Set<string> {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const names = new Set(entries.map(({ fileName }) => fileName))
  for (const name of names) for (const imported of byName.get(name)?.imports ?? []) names.add(imported)
  return names
}
