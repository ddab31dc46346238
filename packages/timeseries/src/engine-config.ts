import { availableParallelism } from 'node:os'

/**
 * Makes sorting and grouping spill to disk long before the limit. By default the engine requires one free GiB of memory for
 * each additional thread, so no statement would get a second thread.
 */
export function limitSettings(memoryLimitBytes: number): Record<string, number> {
  const spillBytes = Math.floor(memoryLimitBytes / 5)
  return {
    max_memory_usage: memoryLimitBytes,
    max_bytes_before_external_sort: spillBytes,
    max_bytes_before_external_group_by: spillBytes,
    max_threads: Math.min(8, availableParallelism()),
    max_threads_min_free_memory_per_thread: 64 * 1024 ** 2,
    use_uncompressed_cache: 0,
  }
}

/**
 * Configures small caches and few background threads, because the engine shares the machine with a database and a server.
 * Merged parts are synced immediately. Otherwise the engine would retain their source parts for minutes to survive a power
 * failure, which doubles the space.
 */
export function engineConfig(memoryLimitBytes: number): string {
  return `<clickhouse>
  <logger><level>none</level></logger>
  <max_server_memory_usage>${memoryLimitBytes + 300 * 1024 ** 2}</max_server_memory_usage>
  <mark_cache_size>33554432</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <index_mark_cache_size>8388608</index_mark_cache_size>
  <mmap_cache_size>100</mmap_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <background_distributed_schedule_pool_size>1</background_distributed_schedule_pool_size>
  <merge_tree>
    <min_compressed_bytes_to_fsync_after_merge>1</min_compressed_bytes_to_fsync_after_merge>
    <old_parts_lifetime>1</old_parts_lifetime>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
</clickhouse>
`
}
