; added_nothing.c behind InstCombine of clang 15: the addition of 0 in `writer` has become a load.
@r0 = global i32 0, align 4
@r1 = global i32 0, align 4
@x = internal global i32 0, align 4
@y = internal global i32 0, align 4

define internal ptr @writer(ptr %unused) {
  store atomic i32 1, ptr @x monotonic, align 4
  fence release
  %old = load atomic i32, ptr @y monotonic, align 4
  store i32 %old, ptr @r0, align 4
  ret ptr null
}

define internal ptr @reader(ptr %unused) {
  %old = atomicrmw add ptr @y, i32 1 acquire, align 4
  %now = load atomic i32, ptr @x monotonic, align 4
  store i32 %now, ptr @r1, align 4
  ret ptr null
}

define i32 @main() {
  %w = alloca i64, align 8
  %r = alloca i64, align 8
  %1 = call i32 @pthread_create(ptr %w, ptr null, ptr @writer, ptr null)
  %2 = call i32 @pthread_create(ptr %r, ptr null, ptr @reader, ptr null)
  %3 = load i64, ptr %w, align 8
  %4 = call i32 @pthread_join(i64 %3, ptr null)
  %5 = load i64, ptr %r, align 8
  %6 = call i32 @pthread_join(i64 %5, ptr null)
  ret i32 0
}

declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_join(i64, ptr)
