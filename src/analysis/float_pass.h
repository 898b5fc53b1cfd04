// A pass of one text in float32 that keeps what decompositions and gradients need. It starts from
// the embeddings of a session's latest pass and has its interventions. Sums of parts hold to the
// rounding of float32: where the weights are int8, activations are not quantized here, and the
// answer differs a little from the session's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "analysis/explained_models.h"
#include "core/matrix.h"
#include "core/result.h"
#include "kernels/kernels.h"
#include "model/interventions.h"
#include "model/session.h"
#include "model/source.h"
#include "model/weights.h"

namespace bertscope {

// kOutOfMemory, for everything that an explanation needs.
Error noRoomToExplain();

// Copies the columns of each head of `rows` [tokens, heads * head_dim] to a row of their own, `out`
// [tokens * heads, head_dim], and back.
void splitHeads(MatrixView<const float> rows, MatrixView<float> out);
void joinHeads(MatrixView<const float> heads, MatrixView<float> out);

void multiplyRow(std::span<const float> factors, std::span<float> row);
void addRows(MatrixView<const float> more, MatrixView<float> sum);

// Reads weights as float32 rows [out, in]. Keeps the memory of `rows`. Errors: kOutOfMemory.
Status decode(const WeightMatrix& weights, Matrix<float>& rows);

// y = x Wᵀ + b in float32 with a model's weights.
struct FloatLinear {
  const WeightMatrix* weight = nullptr;
  std::span<const float> bias;  // [out], or empty

  FloatLinear() = default;
  explicit FloatLinear(const Linear& linear) : weight(&linear.weight), bias(linear.bias) {}

  // in [rows, in] to out [rows, out].
  void apply(MatrixView<const float> in, const kernels::KernelSet& kernels,
             MatrixView<float> out) const;
  // Multiplies without adding the bias.
  void multiply(MatrixView<const float> in, const kernels::KernelSet& kernels,
                MatrixView<float> out) const;
};

// The part of a layer that looks into another text. Its norm stands before it or after its residual
// sum; the other one is empty.
struct FloatCross {
  FloatLinear query, key, value;  // [attention width, hidden]
  FloatLinear output;             // [hidden, attention width]
  const LayerNorm* before = nullptr;
  const LayerNorm* after = nullptr;
};

struct FloatLayer {
  FloatLinear query;             // [attention width, hidden]
  FloatLinear key, value;        // [key and value width, hidden]
  FloatLinear attention_output;  // [hidden, attention width]
  FloatLinear intermediate;      // [intermediate width, hidden], without a gate of its own
  FloatLinear gate;              // [intermediate, hidden]; has no weight where there is none
  FloatLinear output;            // [hidden, intermediate]
  // A norm stands before a part of the layer or after its residual sum; the other one is empty.
  const LayerNorm* before_attention = nullptr;
  const LayerNorm* after_attention = nullptr;
  const LayerNorm* before_feed_forward = nullptr;
  const LayerNorm* after_feed_forward = nullptr;
  // Those of each head's queries and keys [head_dim]; empty where there are none.
  const LayerNorm* query_norm = nullptr;
  const LayerNorm* key_norm = nullptr;
  FloatCross cross = {};  // has no norms where there is none
};

// Rows and what a norm makes of them: normed = (rows - mean) / deviation * gain + bias. An empty
// norm leaves them as they are.
struct NormedRows {
  Matrix<float> rows;        // [rows, width]
  Matrix<float> means;       // [1, rows]: 0 where the norm takes no mean away
  Matrix<float> deviations;  // [1, rows]: √(variance + ε), or √(mean square + ε)
  Matrix<float> normed;      // [rows, width]; empty with an empty norm
  bool takes_mean = true;    // the norm is a layer norm, and not an RMS norm

  [[nodiscard]] bool tryResize(std::size_t count, std::size_t width);
  // Errors: kOutOfMemory.
  Status normalize(const LayerNorm& norm, const ModelConfig& config);
  MatrixView<const float> result() const { return normed.empty() ? rows.view() : normed.view(); }
};

// What cross attention computes. Its keys and values are those of the pass, FloatPass::source().
struct CrossTrace {
  NormedRows input;         // what it reads: the layer's own attention block
  Matrix<float> queries;    // [tokens, attention width]
  Matrix<float> attention;  // [heads * tokens (query), source tokens (key)]
  Matrix<float> context;    // [tokens, attention width]: the heads' outputs, scaled
  NormedRows attended;      // of the cross attention and its residual sum
};

// What one layer computes. The rows of attention are those of one head after another. All heads
// have keys and values here, even if several share them.
struct FloatTrace {
  bool is_off = false;  // an intervention skips the layer: its output is its input
  NormedRows input;     // what attention reads
  // Queries, and keys that heads share, with the norms of heads: [tokens * heads, head_dim]
  NormedRows query_heads, key_heads;
  Matrix<float> queries, keys, values;  // [tokens, attention width]
  Matrix<float> attention;              // [heads * tokens (query), tokens (key)]
  Matrix<float> context;                // [tokens, attention width]: the heads' outputs, scaled
  NormedRows attended;                  // of the attention block and its residual sum
  CrossTrace cross;                     // empty unless the layer looks into another text
  NormedRows fed;                       // what the feed-forward network reads
  Matrix<float> preactivation;          // [tokens, intermediate width]
  Matrix<float> activated;              // [tokens, intermediate]
  NormedRows output;                    // of the feed-forward network and its residual sum

  // What the feed-forward network's output is added to: [tokens, hidden].
  MatrixView<const float> mixed() const {
    return cross.attended.rows.empty() ? attended.result() : cross.attended.result();
  }
  // [tokens (query), tokens (key)]
  MatrixView<const float> attentionOf(std::size_t head) const {
    return attention.view().middleRows(head * attention.cols(), attention.cols());
  }
  // The layer's output: [tokens, hidden].
  MatrixView<const float> result() const { return is_off ? input.rows.view() : output.result(); }
};

class FloatPass {
 public:
  // Outlives the pass of `session`, and its model. Errors: kOutOfRange; kNotAvailable before a
  // pass, for a side of an encoder-decoder that the method does not explain, and for layers that
  // run() does not compute; kInvalidInput for a pass with patches; kOutOfMemory.
  static Result<FloatPass> create(const Session& session, std::size_t sequence,
                                  Explains models = Explains::kOneText);

  const Weights& weights() const { return *weights_; }
  const ModelConfig& config() const { return weights_->config; }
  const kernels::KernelSet& kernels() const { return kernels_; }
  const Interventions& interventions() const { return interventions_; }
  std::size_t tokens() const { return embedded_.rows(); }  // without padding
  // What cross attention looks into, as the session's pass did; null without cross attention.
  const Source* source() const { return source_.get(); }
  // Makes cross attention look into another state of that text from now on.
  void setSource(std::shared_ptr<const Source> source) { source_ = std::move(source); }
  // Hidden state 0, which the pass starts from: [tokens, hidden].
  MatrixView<const float> embedded() const { return embedded_.view(); }
  MatrixView<float> embedded() { return embedded_.view(); }

  // The weights of `layer`, which exists.
  FloatLayer layer(std::size_t layer) const;
  // Runs `layer` with its weights on `input` [tokens, hidden]. Errors: kOutOfMemory.
  Status run(std::size_t layer, const FloatLayer& weights, MatrixView<const float> input,
             FloatTrace& trace) const;
  // Does what the layer does after its attention block. `trace` has the rows of its input and of
  // the residual sum, which may be any number of any tokens; cross attention reads all tokens.
  // Errors: kOutOfMemory.
  Status finishLayer(std::size_t layer, const FloatLayer& weights, FloatTrace& trace) const;
  // The same from after the cross attention on, whose residual sum `trace` has.
  Status finishCross(const FloatLayer& weights, FloatTrace& trace) const;
  // Applies the final norm, if there is one, to the output of the last layer [tokens, hidden].
  // Errors: kOutOfMemory.
  Status finish(MatrixView<const float> last, NormedRows& out) const;

 private:
  FloatPass(std::shared_ptr<const Weights> weights, const kernels::KernelSet& kernels,
            Interventions interventions);

  [[nodiscard]] bool reserve(FloatTrace& trace) const;
  [[nodiscard]] bool reserve(CrossTrace& cross) const;
  // Fills the queries, keys and values of all heads.
  Status project(const FloatLayer& weights, FloatTrace& trace) const;
  void attend(std::size_t layer, FloatTrace& trace) const;
  // All heads of the attention to the same text, or of that to another.
  struct Heads {
    bool is_cross;
    MatrixView<const float> queries;       // [tokens, attention width]
    MatrixView<const float> keys, values;  // [tokens that are looked at, attention width]
    MatrixView<float> weights;             // [heads * tokens, tokens that are looked at]
    MatrixView<float> context;             // [tokens, attention width]
  };
  void attendHeads(std::size_t layer, const Heads& heads) const;
  // Looks into the source, and adds what cross attention takes to the layer's own attention block.
  Status lookInto(std::size_t layer, const FloatCross& weights, FloatTrace& trace) const;
  // Does what the layer does after its attention.
  Status finishMixed(const FloatLayer& weights, FloatTrace& trace) const;
  void feedForward(const FloatLayer& weights, FloatTrace& trace) const;

  std::shared_ptr<const Weights> weights_;
  const kernels::KernelSet& kernels_;
  Interventions interventions_;
  Matrix<float> embedded_;
  std::shared_ptr<const Source> source_;
};

}  // namespace bertscope
