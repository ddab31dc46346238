// Peers that are not part of the project: each folder of a benchmark has a package.json that names them.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs the peers of a folder unless the named one is installed. */
export function installPeers(folder: string, name: string): void {
  if (existsSync(join(folder, 'node_modules', name))) return
  console.log('Installing the peers (once) …')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--no-workspaces']
  execFileSync('npm', ['install', ...options], { cwd: folder, stdio: ['ignore', 2, 2] })
}

/** Returns the version of a peer in the package.json of a folder. */
export function peerVersion(folder: string, name: string): string {
  const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return dependencies[name]!
}
