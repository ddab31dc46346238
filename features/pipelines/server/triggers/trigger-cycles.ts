/** A pipeline that starts when a different pipeline ends. */
export interface PipelineEdge {
  /** Id of the pipeline that starts. */
  pipelineId: string
  /** Id of the pipeline that ends. */
  after: string
}

/** Returns whether a pipeline would trigger itself, directly or through other pipelines. */
export function hasCycle(pipelineId: string, edges: readonly PipelineEdge[]): boolean {
  const before = new Map<string, string[]>()
  for (const { pipelineId: next, after } of edges) before.set(next, [...(before.get(next) ?? []), after])
  const seen = new Set<string>()
  const open = [...(before.get(pipelineId) ?? [])]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === pipelineId) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(before.get(id) ?? []))
  }
  return false
}
