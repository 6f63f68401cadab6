#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace cellproof::engines::ort {

/// A library that is not there, or is no ONNX Runtime that we can talk to: which file, and why.
class LibraryError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// OrtErrorCode, the part that we tell apart.
enum class ErrorCode : int { NotImplemented = 9, ProviderFailed = 11 };

/// A call that ONNX Runtime answered with an OrtStatus.
class CallError : public std::runtime_error {
 public:
  CallError(int code, const std::string& message) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

/// The C interface of ONNX Runtime as a shared library opened at run time. No header of it is used: no package that we
/// know of ships one, and its function table is append-only, so the numbers below mean the same in every release. The
/// calls are the few that running a model takes; a failing one throws CallError.
class CApi {
 public:
  /// Throws LibraryError.
  explicit CApi(const std::filesystem::path& library);

  const std::string& version() const { return version_; }
  /// The 22 of "1.22.1", which is also the newest version of the table that it has.
  int minor_version() const { return minor_version_; }

  /// Frees what the table's slot `Release` frees.
  template <int Release>
  struct Releaser {
    const CApi* api = nullptr;
    void operator()(void* object) const { api->release(Release, object); }
  };
  template <int Release>
  using Handle = std::unique_ptr<void, Releaser<Release>>;

  // Positions in the table OrtApi.
  enum Slot : int {
    GetErrorCode = 1,
    GetErrorMessage = 2,
    CreateEnv = 3,
    CreateSessionFromArray = 8,
    RunSession = 9,
    CreateSessionOptions = 10,
    SetIntraOpNumThreads = 24,
    SetInterOpNumThreads = 25,
    CreateTensorWithDataAsOrtValue = 49,
    IsTensor = 50,
    GetTensorMutableData = 51,
    GetTensorElementType = 60,
    GetDimensionsCount = 61,
    GetDimensions = 62,
    GetTensorTypeAndShape = 65,
    CreateCpuMemoryInfo = 69,
    ReleaseEnv = 92,
    ReleaseStatus = 93,
    ReleaseMemoryInfo = 94,
    ReleaseSession = 95,
    ReleaseValue = 96,
    ReleaseTensorTypeAndShapeInfo = 99,
    ReleaseSessionOptions = 100,
    // Calls of later versions of the table; 1.19 has the first two, 1.22 all.
    AddSessionConfigEntry = 130,
    SessionOptionsAppendExecutionProvider = 216,
    RegisterExecutionProviderLibrary = 301,
    GetEpDevices = 303,
    SessionOptionsAppendExecutionProvider_V2 = 304,
    EpDevice_EpName = 312,
  };

  using Env = Handle<ReleaseEnv>;
  using SessionOptions = Handle<ReleaseSessionOptions>;
  using Session = Handle<ReleaseSession>;
  using MemoryInfo = Handle<ReleaseMemoryInfo>;
  using Value = Handle<ReleaseValue>;
  using ShapeInfo = Handle<ReleaseTensorTypeAndShapeInfo>;

  /// Calls a function that makes an object through its last argument.
  template <int Release, class... Arguments>
  Handle<Release> create(Slot slot, Arguments... arguments) const {
    void* made = nullptr;
    call(slot, arguments..., &made);
    return adopt<Release>(made);
  }
  template <int Release>
  Handle<Release> adopt(void* object) const {
    return {object, Releaser<Release>{this}};
  }

  /// Calls a function that returns an OrtStatus*. The arguments must have exactly the types of the C declaration.
  template <class... Arguments>
  void call(Slot slot, Arguments... arguments) const {
    check(reinterpret_cast<void* (*)(Arguments...)>(function(slot))(arguments...));
  }
  void release(int slot, void* object) const;
  /// Calls a function that returns a string of the object's.
  std::string text(Slot slot, const void* object) const {
    return reinterpret_cast<const char* (*)(const void*)>(function(slot))(object);
  }

 private:
  void* function(int slot) const { return const_cast<void*>(table_[slot]); }
  void check(void* status) const;

  const void* const* table_ = nullptr;
  std::string version_;
  int minor_version_ = 0;
};

}  // namespace cellproof::engines::ort
