;; The dot products of one query with many rows, in whole numbers. What it assembles to is a constant of vector-memory.service.ts.
(module
  (import "kernel" "memory" (memory 1))

  ;; query: address of `stride` 16-bit numbers; rows: address of `count` rows of `stride` 8-bit numbers each; out: address of `count`
  ;; 32-bit numbers. `stride` is a multiple of 16. No sum may leave 32 bits: the caller bounds the numbers of the query.
  (func (export "dotProducts")
    (param $query i32) (param $rows i32) (param $count i32) (param $stride i32) (param $out i32)
    (local $sum v128) (local $part v128) (local $at i32) (local $row_end i32) (local $out_end i32)
    (local.set $out_end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next_row
        (br_if $done (i32.ge_u (local.get $out) (local.get $out_end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $row_end (i32.add (local.get $rows) (local.get $stride)))
        (loop $next_part
          (local.set $part (v128.load (local.get $rows)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $part)) (v128.load (local.get $at)))
                (i32x4.dot_i16x8_s
                  (i16x8.extend_high_i8x16_s (local.get $part))
                  (v128.load offset=16 (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $next_part (i32.lt_u (local.get $rows) (local.get $row_end))))
        (i32.store
          (local.get $out)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $next_row))))
)
