// The texts that integrated gradients go through, at several points of the way from the baseline at
// once: what gradient.h computes, without the answer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "analysis/backward.h"
#include "analysis/float_pass.h"
#include "analysis/gradient.h"
#include "core/eigen.h"
#include "core/result.h"
#include "model/encoder.h"
#include "model/session.h"
#include "model/source.h"

namespace bertscope {

// A text at a point of the way from the baseline.
struct TextCopy {
  NormedRows embedded;            // [tokens, embedding width]
  Matrix<float> projected;        // [tokens, hidden], in models that project embeddings
  std::vector<FloatTrace> trace;  // [layers]
  NormedRows last;                // the last hidden states and the final norm
  Matrix<float> gradient;  // [tokens, hidden], with respect to what comes next on the way back
  std::shared_ptr<const Source> source;  // what a decoder looks into
};

// A text on its way through the layers of its model, at several points at once.
class CopiedText {
 public:
  // Without beginAt(), the baseline has word embeddings of zero.
  CopiedText(FloatPass of_text, Session::EmbeddingParts parts)
      : pass(std::move(of_text)), contributions(pass.tokens()), parts_(std::move(parts)) {}

  // Makes the words of the baseline a part of the places, and keeps what the text's are more.
  Status beginAt(const Session& session, std::span<const std::int32_t> baseline) {
    auto words = session.wordEmbeddings(baseline);
    if (!words.ok()) return words.error();
    Encoder(pass.weights(), pass.kernels()).scaleWords(words.value().view());
    asEigen(parts_.words.view()) -= asEigen(words.value().view());
    asEigen(parts_.places.view()) += asEigen(words.value().view());
    return {};
  }

  std::size_t layers() const { return pass.config().layers; }

  Status embed(std::span<const PathPoint> points) {
    copies.resize(points.size());
    for (std::size_t c = 0; c < copies.size(); ++c) {
      TextCopy& copy = copies[c];
      const auto [tokens, width] = std::pair(parts_.words.rows(), parts_.words.cols());
      copy.trace.resize(layers());
      if (!copy.embedded.tryResize(tokens, width)) return noRoomToExplain();
      const auto position = static_cast<float>(points[c].position);
      asEigen(copy.embedded.rows.view()) =
          position * asEigen(parts_.words.view()) + asEigen(parts_.places.view());
      if (Status s = copy.embedded.normalize(embeddings().norm, pass.config()); !s.ok()) return s;
      if (!projects()) continue;
      if (!copy.projected.tryResize(tokens, pass.config().hidden_size)) return noRoomToExplain();
      projection().apply(copy.embedded.result(), pass.kernels(), copy.projected.view());
    }
    return {};
  }

  // Applies the final norm of all copies.
  Status finishForward() {
    for (TextCopy& copy : copies) {
      if (Status s = pass.finish(copy.trace.back().result(), copy.last); !s.ok()) return s;
    }
    return {};
  }

  // Makes each copy look into that of an encoder's text, which has run to its end.
  Status lookInto(const CopiedText& source) {
    for (std::size_t c = 0; c < copies.size(); ++c) {
      auto states = Source::create(pass.weights(), pass.kernels(), source.copies[c].last.result(),
                                   Source::Products::kFloat32);
      if (!states.ok()) return states.error();
      copies[c].source = std::make_shared<const Source>(std::move(states.value()));
    }
    return {};
  }

  Status forward(std::size_t layer) {
    const FloatLayer weights = pass.layer(layer);
    for (TextCopy& copy : copies) {
      const MatrixView<const float> input = layer > 0    ? copy.trace[layer - 1].result()
                                            : projects() ? std::as_const(copy.projected).view()
                                                         : copy.embedded.result();
      pass.setSource(copy.source);
      if (Status s = pass.run(layer, weights, input, copy.trace[layer]); !s.ok()) return s;
    }
    return {};
  }

  // Goes back through a layer, and adds to the gradients of the last hidden states of `source`.
  Status backward(std::size_t layer, BackwardRows& scratch, CopiedText* source) {
    const FloatLayer weights = pass.layer(layer);
    for (std::size_t c = 0; c < copies.size(); ++c) {
      TextCopy& copy = copies[c];
      pass.setSource(copy.source);
      const MatrixView<float> of_source =
          source ? source->copies[c].gradient.view() : MatrixView<float>{};
      if (Status s = backwardLayer(pass, layer, weights, copy.trace[layer], scratch,
                                   copy.gradient.view(), of_source);
          !s.ok()) {
        return s;
      }
    }
    return {};
  }

  // Goes back through the final norm of all copies.
  void backwardFinal() {
    for (TextCopy& copy : copies) {
      backwardNorm(copy.last, pass.weights().final_norm, copy.gradient.view());
    }
  }

  // Goes from hidden state 0 back to the words, whose gradients become contributions.
  Status finishBackward(std::span<const PathPoint> points) {
    for (std::size_t c = 0; c < copies.size(); ++c) {
      TextCopy& copy = copies[c];
      if (projects()) {
        Matrix<float> inner;
        if (!inner.tryResize(parts_.words.rows(), parts_.words.cols())) return noRoomToExplain();
        projection().weight->multiplyFloatsBack(copy.gradient.view(), pass.kernels(), inner.view());
        copy.gradient = std::move(inner);
      }
      backwardNorm(copy.embedded, embeddings().norm, copy.gradient.view());
      for (std::size_t token = 0; token < contributions.size(); ++token) {
        const auto gradient = asEigen(copy.gradient.row(token)).cast<double>();
        contributions[token] +=
            points[c].weight * gradient.dot(asEigen(parts_.words.row(token)).cast<double>());
      }
    }
    return {};
  }

  FloatPass pass;
  std::vector<TextCopy> copies;
  std::vector<double> contributions;  // [tokens]

 private:
  const Embeddings& embeddings() const { return pass.weights().embeddings; }
  bool projects() const { return !embeddings().projection.weight.empty(); }
  FloatLinear projection() const { return FloatLinear(embeddings().projection); }

  Session::EmbeddingParts parts_;
};

}  // namespace bertscope
