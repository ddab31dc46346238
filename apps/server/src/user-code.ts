import type { FastifyInstance } from 'fastify'
import { findSandbox } from '@headwater/sandbox'
import {
  createEgress,
  createForwardProxy,
  type Config,
  type Egress,
  type ForwardProxy,
} from '@headwater/server-kit'
import type { RunServer } from '@headwater/tasks/server'
import { openRunSocket, type RunSocket } from './run-socket.ts'

/** Port under which user code reaches the API in its sandbox. */
const port = 8000

/** Returns the sandbox for user code, or the reason why it is unavailable. */
export type SandboxFinder = () => ReturnType<typeof findSandbox>

/** The connections of user code. */
export interface UserCodeNetwork {
  /** Socket of the API and of the proxy. */
  runSocket: RunSocket
  /** Address of the API for user code. */
  server: RunServer
  /** Connects user code with allowed hosts. */
  proxy: ForwardProxy
  /** Sends the requests of built-in tasks. */
  egress: Egress
}

/** Opens the connections of user code. */
export async function openUserCodeNetwork(
  app: FastifyInstance,
  { internalHosts }: Pick<Config, 'internalHosts'>,
  runFolder: string,
): Promise<UserCodeNetwork> {
  const egress = createEgress({ internalHosts })
  const proxy = createForwardProxy({ egress, ownHosts: [`127.0.0.1:${port}`, `localhost:${port}`] })
  const runSocket = await openRunSocket(app, runFolder, proxy)
  return { runSocket, server: { socketPath: runSocket.path, port }, proxy, egress }
}

/** Finds the sandbox when it is first needed, because the search starts a process. */
export function createSandboxFinder(hiddenFolder: string): SandboxFinder {
  let sandbox: ReturnType<typeof findSandbox> | undefined
  return async () => {
    const result = await (sandbox ??= findSandbox({ hiddenFolders: [hiddenFolder] }))
    // The failure can be temporary, or an administrator can install what is missing.
    if (!result.available) sandbox = undefined
    return result
  }
}
