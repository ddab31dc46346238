// Stores a compressed copy beside each text file of a folder, so that the server does not compress at each request.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const smallestBytes = 1024

for (const name of readdirSync(process.argv[2], { recursive: true })) {
  if (!/\.(js|css|svg|json|wasm|map)$/.test(name)) continue
  const path = join(process.argv[2], name)
  const content = readFileSync(path)
  if (content.length < smallestBytes) continue
  writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  )
}
