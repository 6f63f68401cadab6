#include "optimized/cuda/cublas.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "optimized/cuda/backend.hpp"
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#endif

namespace cellproof::cuda {

#if __has_include(<cublas_v2.h>)
namespace {

/// Room for cuBLAS to work in: what NVIDIA advises for Hopper. Given by us, so that results and recordings repeat.
constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

/// cublasGemmEx, which the header overloads.
using GemmEx = cublasStatus_t (*)(cublasHandle_t, cublasOperation_t, cublasOperation_t, int, int, int, const void*,
                                  const void*, cudaDataType, int, const void*, cudaDataType, int, const void*, void*,
                                  cudaDataType, int, cublasComputeType_t, cublasGemmAlgo_t);

/// The functions that are called, by the names under which they are exported.
struct Library {
  void* file = nullptr;
  decltype(&::cublasCreate_v2) create = nullptr;
  decltype(&::cublasDestroy_v2) destroy = nullptr;
  decltype(&::cublasSetStream_v2) set_stream = nullptr;
  decltype(&::cublasSetWorkspace_v2) set_workspace = nullptr;
  decltype(&::cublasSetMathMode) set_math_mode = nullptr;
  GemmEx gemm = nullptr;
};

template <class Function>
void find(void* file, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(file, name));
  if (function == nullptr) throw DeviceFailure(std::string("cuBLAS lacks ") + name);
}

void* open_file() {
  if (const char* named = std::getenv("CELLPROOF_CUBLAS")) {
    if (std::string_view(named) == "none") return nullptr;
    // Whoever names the library means it to be opened. NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint)
    void* file = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    if (file == nullptr) throw DeviceFailure(std::string("CELLPROOF_CUBLAS: ") + dlerror());
    return file;
  }
  const std::string major = std::to_string(CUBLAS_VER_MAJOR), name = "libcublas.so." + major;
  std::vector<std::string> paths{name};
  const char* const environment = std::getenv("CELLPROOF_CUDNN_DIRS");
  std::istringstream folders(environment == nullptr ? std::string() : std::string(environment));
  for (std::string folder; std::getline(folders, folder, ':');) {
    // As Python's wheels of CUDA 13 and of those before it lay it out.
    paths.push_back((std::filesystem::path(folder) / name).string());
    paths.push_back((std::filesystem::path(folder) / "nvidia" / ("cu" + major) / "lib" / name).string());
    paths.push_back((std::filesystem::path(folder) / "nvidia/cublas/lib" / name).string());
  }
  paths.push_back("/usr/local/cuda/lib64/" + name);
  for (const std::string& path : paths)
    // Whoever names the folders means them to be looked into. NOLINTNEXTLINE(clang-analyzer-optin.taint.GenericTaint)
    if (void* file = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) return file;
  return nullptr;
}

Library load() {
  Library library;
  library.file = open_file();
  if (library.file == nullptr) return library;
  find(library.file, "cublasCreate_v2", library.create);
  find(library.file, "cublasDestroy_v2", library.destroy);
  find(library.file, "cublasSetStream_v2", library.set_stream);
  find(library.file, "cublasSetWorkspace_v2", library.set_workspace);
  find(library.file, "cublasSetMathMode", library.set_math_mode);
  find(library.file, "cublasGemmEx", library.gemm);
  return library;
}

/// Loaded once, never closed: it keeps threads of its own.
const Library& loaded_library() {
  static const Library library = load();
  return library;
}

class OpenCublas : public Cublas {
 public:
  OpenCublas(const Library& library, void* stream) : library_(library) {
    check(library.create(&handle_), "cublasCreate");
    try {
      // In this order: setting the stream takes the workspace away.
      check(library.set_stream(handle_, static_cast<cudaStream_t>(stream)), "cublasSetStream");
      if (cudaMalloc(&workspace_, workspace_bytes) != cudaSuccess) throw std::bad_alloc();
      check(library.set_workspace(handle_, workspace_, workspace_bytes), "cublasSetWorkspace");
      set_math(CUBLAS_PEDANTIC_MATH);
    } catch (...) {
      close();
      throw;
    }
  }
  OpenCublas(const OpenCublas&) = delete;
  OpenCublas& operator=(const OpenCublas&) = delete;
  ~OpenCublas() override { close(); }

  void multiply(const RowsProduct<float>& product) override {
    set_math(CUBLAS_PEDANTIC_MATH);
    multiply_as<float>(product, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC);
  }
  void multiply(const RowsProduct<double>& product) override {
    set_math(CUBLAS_PEDANTIC_MATH);
    multiply_as<double>(product, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F_PEDANTIC);
  }
  void multiply(const WordsProduct& product) override {
    // Pedantic math would do without tensor cores; what must not be had for speed is a sum in 16 bits.
    set_math(static_cast<cublasMath_t>(CUBLAS_DEFAULT_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION));
    multiply_as<float>(product, product.storage == Storage::Float16 ? CUDA_R_16F : CUDA_R_16BF, CUDA_R_32F,
                       CUBLAS_COMPUTE_32F);
  }

 private:
  /// Rows of out, a and w are columns for cuBLAS: out = w^T * a there.
  template <class Real, class Product>
  void multiply_as(const Product& p, cudaDataType factors, cudaDataType sums, cublasComputeType_t arithmetic) {
    const Real one = 1, zero = 0;
    const auto columns = static_cast<int>(p.columns), rows = static_cast<int>(p.rows),
               terms = static_cast<int>(p.terms);
    check(library_.gemm(handle_, CUBLAS_OP_T, CUBLAS_OP_N, columns, rows, terms, &one, p.w, factors, terms, p.a,
                        factors, terms, &zero, p.out, sums, columns, arithmetic, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  }

  void set_math(cublasMath_t math) {
    if (is_set_ && math == math_) return;
    check(library_.set_math_mode(handle_, math), "cublasSetMathMode");
    math_ = math;
    is_set_ = true;
  }

  static void check(cublasStatus_t status, const char* function) {
    if (status == CUBLAS_STATUS_ALLOC_FAILED) throw std::bad_alloc();
    if (status != CUBLAS_STATUS_SUCCESS)
      throw DeviceFailure(std::string(function) + " fails with status " + std::to_string(status));
  }

  void close() {
    if (handle_ != nullptr) library_.destroy(handle_);
    if (workspace_ != nullptr) cudaFree(workspace_);
  }

  const Library& library_;
  cublasHandle_t handle_ = nullptr;
  cublasMath_t math_ = CUBLAS_DEFAULT_MATH;
  bool is_set_ = false;
  void* workspace_ = nullptr;
};

}  // namespace

std::unique_ptr<Cublas> Cublas::open(void* stream) {
  const Library& library = loaded_library();
  if (library.file == nullptr) return nullptr;
  return std::make_unique<OpenCublas>(library, stream);
}

#else  // a toolkit without cuBLAS

std::unique_ptr<Cublas> Cublas::open(void*) {
  return nullptr;
}

#endif

}  // namespace cellproof::cuda
