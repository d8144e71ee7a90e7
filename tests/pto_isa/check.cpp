// Runs the exported kernels on pto-isa's CPU simulator and compares with plain loops. Small whole numbers, so that every sum
// is exact and nothing may differ. One line for each kernel: its name and how many elements are wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "nz_batch.cpp"
#include "nz_cols.cpp"
#include "nz_expert_incore_0.cpp"
#include "nz_full.cpp"
#include "nz_kloop_bf16.cpp"
#include "nz_kloop_i8.cpp"
#include "nz_rows.cpp"
#include "nz_store.cpp"
#include "rows.cpp"

#include "nz_batch_pack.h"
#include "nz_cols_pack.h"
#include "nz_expert_incore_0_pack.h"
#include "nz_full_pack.h"
#include "nz_kloop_bf16_pack.h"
#include "nz_kloop_i8_pack.h"
#include "nz_rows_pack.h"
#include "nz_store_pack.h"

static int wrong_in_all = 0;

static void report(const char* name, int wrong) {
    std::printf("%s %d\n", name, wrong);
    wrong_in_all += wrong;
}

template <class T>
static std::vector<T> small_numbers(std::size_t count) {
    std::vector<T> all(count);
    for (T& v : all) v = static_cast<T>(static_cast<float>(std::rand() % 9 - 4));
    return all;
}

/// out = x · wᵀ over one window of w: rows [row, row + 64), columns [col, col + k), panel `batch`.
template <class T, class Acc, class Kernel, class Pack>
static void product(const char* name, Kernel kernel, Pack pack, int k, int w_rows, int w_cols, int batches, int batch, int row, int col) {
    const std::vector<T> x = small_numbers<T>(64 * k), w = small_numbers<T>(std::size_t(batches) * w_rows * w_cols);
    std::vector<T> nz(w.size()), x_arg = x;
    pack(w.data(), nz.data(), batches);
    std::vector<Acc> out(64 * 64, Acc(-1));
    kernel(x_arg.data(), nz.data(), out.data());
    int wrong = 0;
    for (int m = 0; m < 64; ++m) {
        for (int n = 0; n < 64; ++n) {
            Acc sum = 0;
            for (int i = 0; i < k; ++i) {
                sum += Acc(float(x[m * k + i])) * Acc(float(w[(std::size_t(batch) * w_rows + row + n) * w_cols + col + i]));
            }
            wrong += out[m * 64 + n] != sum;
        }
    }
    report(name, wrong);
}

static void fp32_store() {
    std::vector<half> x = small_numbers<half>(64 * 64), w = small_numbers<half>(64 * 16);
    std::vector<float> nz(64 * 32, -1.0f), out(64 * 32);
    nz_store(x.data(), w.data(), nz.data());
    nz_store_pack::unpack_out(nz.data(), out.data());
    int wrong = 0;
    for (int m = 0; m < 64; ++m) {
        for (int n = 0; n < 32; ++n) {
            float sum = n < 16 ? -1.0f : 0.0f; // the first half is not the kernel's
            for (int i = 0; n >= 16 && i < 64; ++i) sum += float(x[m * 64 + i]) * float(w[i * 16 + n - 16]);
            wrong += out[m * 32 + n] != sum;
        }
    }
    report("nz_store", wrong);
}

/// The kernel of a program on tensors: its weight is the first argument, and no transpose is in between.
static void expert() {
    std::vector<bfloat16_t> x = small_numbers<bfloat16_t>(64 * 1024), w = small_numbers<bfloat16_t>(8 * 1024 * 128), nz(w.size());
    std::vector<float> out(64 * 128, -1.0f);
    nz_expert_incore_0_pack::pack_w(w.data(), nz.data());
    nz_expert_incore_0(nz.data(), x.data(), out.data());
    int wrong = 0;
    for (int m = 0; m < 64; ++m) {
        for (int n = 0; n < 128; ++n) {
            float sum = 0;
            for (int i = 0; i < 1024; ++i) sum += float(x[m * 1024 + i]) * float(w[(3 * 1024 + i) * 128 + n]);
            wrong += out[m * 128 + n] != sum;
        }
    }
    report("nz_expert", wrong);
}

static void row_blocks() {
    std::vector<float> x = small_numbers<float>(64 * 64), y = small_numbers<float>(64 * 64);
    std::vector<std::int32_t> config{3}, out(64 * 64, -99);
    rows(x.data(), y.data(), config.data(), out.data(), 0.5f);
    int wrong = 0;
    for (int r = 0; r < 64; ++r) {
        const float greatest = *std::max_element(x.begin() + r * 64, x.begin() + r * 64 + 64);
        for (int c = 0; c < 64; ++c) {
            const float limit = r / 16 % 2 == 0 ? -8.0f : 0.5f;
            const float value = std::floor(std::max((x[r * 64 + c] - greatest) * 0.5f + y[r * 64 + c], limit));
            wrong += out[r * 64 + c] != (r < 48 ? std::int32_t(value) : -99);
        }
    }
    report("rows", wrong);
}

int main() {
    NPU_MEMORY_INIT(NPUArch::A2A3);
    std::srand(7);
    product<half, float>("nz_full", nz_full, nz_full_pack::pack_w<half>, 256, 64, 256, 1, 0, 0, 0);
    product<half, float>("nz_rows", nz_rows, nz_rows_pack::pack_w<half>, 256, 128, 256, 1, 0, 64, 0);
    product<half, float>("nz_cols", nz_cols, nz_cols_pack::pack_w<half>, 256, 64, 512, 1, 0, 0, 256);
    product<half, float>("nz_batch", nz_batch, nz_batch_pack::pack_w<half>, 256, 64, 256, 3, 2, 0, 0);
    product<std::int8_t, std::int32_t>("nz_kloop_i8", nz_kloop_i8, nz_kloop_i8_pack::pack_w<std::int8_t>, 512, 64, 512, 1, 0, 0, 0);
    product<bfloat16_t, float>("nz_kloop_bf16", nz_kloop_bf16, nz_kloop_bf16_pack::pack_w<bfloat16_t>, 256, 64, 256, 1, 0, 0, 0);
    fp32_store();
    expert();
    row_blocks();
    return wrong_in_all != 0;
}
